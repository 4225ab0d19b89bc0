/** A client of an event stream as somebody else might write it: reads frames, remembers the last id, can be cut off. */
import { get } from "node:http";
import type { EventFrame } from "@kedge/protocol";

type StreamClient = {
  /** The last id that was seen, over all connections. */
  lastId(): string | undefined;
  /** Resolves when the head of the answer is there. */
  connect(): Promise<void>;
  /** Without a word, in the middle of whatever is under way. */
  cut(): void;
  /** Resolves when the server ended the stream, or the socket was cut. */
  ended(): Promise<void>;
  /** Reads nothing until it is resumed. */
  pause(): void;
  resume(): void;
};

/** Frames that came after the cut, from what was read before it, are not told, nor are those that are not wanted. */
export function createStreamClient(
  url: string,
  onFrame: (frame: EventFrame) => void,
  isWanted: (json: string) => boolean = () => true,
): StreamClient {
  let lastId: string | undefined;
  let cutOff: () => void = () => undefined;
  let ended = Promise.withResolvers<void>();
  let reading: { readonly pause: () => unknown; readonly resume: () => unknown } | undefined;

  function readMessage(message: string): void {
    const end = message.indexOf("\ndata: ");
    if (!message.startsWith("id: ") || end < 0 || message.includes("\n", end + 1))
      throw new Error(`no frame: ${message}`);
    lastId = message.slice(4, end);
    const json = message.slice(end + 7);
    if (isWanted(json)) onFrame(JSON.parse(json));
  }

  return {
    lastId: () => lastId,
    connect() {
      ended = Promise.withResolvers();
      const { resolve: onEnd } = ended;
      const opened = Promise.withResolvers<void>();
      const headers = lastId === undefined ? {} : { "last-event-id": lastId };
      const connection = { isCut: false };
      cutOff = () => {
        connection.isCut = true;
        current.destroy();
      };
      let text = "";
      const current = get(url, { headers, agent: false }, (response) => {
        reading = response;
        if (response.statusCode !== 200) opened.reject(new Error(`status ${response.statusCode}`));
        opened.resolve();
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          for (let end = text.indexOf("\n\n"); end >= 0 && !connection.isCut; end = text.indexOf("\n\n")) {
            const message = text.slice(0, end);
            text = text.slice(end + 2);
            readMessage(message);
          }
        });
        response.on("close", onEnd);
        response.on("error", onEnd);
      });
      current.on("error", (error) => {
        opened.reject(error);
        onEnd();
      });
      return opened.promise;
    },
    cut: () => cutOff(),
    ended: () => ended.promise,
    pause: () => void reading?.pause(),
    resume: () => void reading?.resume(),
  };
}
