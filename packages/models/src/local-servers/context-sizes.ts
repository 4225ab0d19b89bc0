/** Remembers how much context the models of local servers have, so that each is asked for once. */
import type { LocalServerKind } from "../catalogue/catalogue-row.ts";
import { probeContext } from "./probe-server.ts";

export type ContextQuestion = {
  readonly server: LocalServerKind;
  readonly baseUrl: string;
  readonly model: string;
};

/** Undefined when the server does not answer, or is not on this machine. */
export type ContextSizes = (question: ContextQuestion) => Promise<number | undefined>;

const loopbackHosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

export function createContextSizes(): ContextSizes {
  const sizes = new Map<string, Promise<number | undefined>>();
  return async ({ server, baseUrl, model }) => {
    const url = new URL(baseUrl);
    if (url.protocol !== "http:" || !loopbackHosts.includes(url.hostname)) return undefined;
    const key = `${url.origin} ${model}`;
    const known = sizes.get(key);
    if (known !== undefined) return known;
    // Each probe has its own short limit, so there is nothing to abort.
    const asked = probeContext({ server, origin: url.origin, signal: new AbortController().signal }, model);
    sizes.set(key, asked);
    const size = await asked;
    // A server that is not up yet may be up at the next attempt.
    if (size === undefined) sizes.delete(key);
    return size;
  };
}
