/** The address of a relay: encrypted, unless it is on this machine. */

/** Undefined where the text names no relay that may be used. */
export function relayAddress(text: string): string | undefined {
  const given = /^[a-z]+:\/\//i.test(text) ? text : `wss://${text}`;
  if (!URL.canParse(given)) return undefined;
  const { protocol, host, hostname, pathname, search, hash, username } = new URL(given);
  if (pathname.replace(/^\/$/, "") + search + hash + username !== "" || host === "") return undefined;
  if (protocol === "wss:" || protocol === "https:") return `wss://${host}`;
  return (protocol === "ws:" || protocol === "http:") && isLoopback(hostname) ? `ws://${host}` : undefined;
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host);
}
