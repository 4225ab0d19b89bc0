/** Asks a server how it is, as a client does before it trusts what it read about it. */
import { get, type IncomingMessage } from "node:http";
import { get as getEncrypted } from "node:https";
import { isJsonObject, routeOf } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";

export type HealthAnswer =
  | { readonly kind: "answered"; readonly protocol: string; readonly projectHash: string }
  /** Nobody listens there, or it is somebody who does not know the token. */
  | { readonly kind: "refused" }
  /** Somebody is there and does not say who. */
  | { readonly kind: "silent" };

const answerMsMax = 2_000;
const answerBytesMax = 4_096;

/** Not by `fetch`: it takes 20 ms to load, and a proxy that the user has set has no business on this way. */
export function askHealth(server: { readonly url: string; readonly token: string }): Promise<HealthAnswer> {
  const url = new URL(routeOf(readRows.health).path, server.url);
  const headers = { authorization: `Bearer ${server.token}` };
  const signal = AbortSignal.timeout(answerMsMax);
  return new Promise((resolve) => {
    const ask = url.protocol === "https:" ? getEncrypted : get;
    const request = ask(url, { headers, signal, agent: false }, (response) => {
      read(response).then(resolve, () => resolve({ kind: "silent" }));
    });
    request.on("error", (error) => {
      resolve({ kind: "code" in error && error.code === "ECONNREFUSED" ? "refused" : "silent" });
    });
  });
}

async function read(response: IncomingMessage): Promise<HealthAnswer> {
  let text = "";
  for await (const piece of response) {
    text += String(piece);
    if (text.length > answerBytesMax) return { kind: "refused" };
  }
  if (response.statusCode === 200) return parse(text);
  return { kind: response.statusCode === 401 ? "refused" : "silent" };
}

function parse(text: string): HealthAnswer {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return { kind: "refused" };
    const { protocol, projectHash } = value;
    if (typeof protocol !== "string" || typeof projectHash !== "string") return { kind: "refused" };
    return { kind: "answered", protocol, projectHash };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "refused" };
    throw error;
  }
}
