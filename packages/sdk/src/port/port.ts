/** What a client needs of a port: a `MessagePort` or a `Worker` of Node is one, and nothing else may use it meanwhile. */

export type Port = {
  /** Copies the value. To a port that is closed it does nothing. */
  postMessage(value: unknown): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
};

/** What tells that nobody is at the other end any more: ports say the first, workers the second. */
const closingEvents = ["close", "exit"] as const;

export type PortListeners = {
  readonly message: (value: unknown) => void;
  readonly closed: () => void;
};

/** Returns the way to stop. The port stays open: whoever made it closes it. */
export function listenOn(port: Port, { message, closed }: PortListeners): () => void {
  port.on("message", message);
  for (const event of closingEvents) port.on(event, closed);
  return () => {
    port.off("message", message);
    for (const event of closingEvents) port.off(event, closed);
  };
}
