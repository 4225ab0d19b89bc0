/** Starts a relay on this machine: where it listens, the page it serves, and where it keeps snapshots. */
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type Answer, reasonOf, refused } from "@kedge/protocol";
import { createRelay, type PageFile } from "@kedge/server/relay";

export type RelayOptions = {
  readonly port: number;
  readonly hostname: string;
  readonly tls?: { readonly certPath: string; readonly keyPath: string };
  /** Where snapshots are kept. */
  readonly snapshots: string;
  /** Files of the guests' page. */
  readonly page: string;
  readonly now: () => number;
};

export type RunningRelay = {
  /** For `collab.relayUrl`. */
  readonly url: string;
  close(): Promise<void>;
};

const beatMs = 15_000;

const types: { readonly [ending: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export async function startRelay(options: RelayOptions): Promise<Answer<RunningRelay>> {
  const { port, hostname, now, snapshots } = options;
  const read = options.tls && (await readPair(options.tls).catch(reasonOf));
  if (typeof read === "string") return refused(`Cannot read the certificate or its key: ${read}.`);
  const relay = createRelay({
    ...{ now, snapshots, page: (path) => pageFile(options.page, path) },
    ...(read !== undefined && { tls: read }),
    // Requests from other machines come through a proxy, which names the caller.
    trustsProxy: read === undefined && hostname === "127.0.0.1",
    onBeat(beat) {
      const timer = setInterval(beat, beatMs);
      return () => clearInterval(timer);
    },
  });
  const { server } = relay;
  const problem = await new Promise<string | undefined>((resolve) => {
    server.once("error", (error) => resolve(reasonOf(error)));
    server.listen(port, hostname, () => resolve(undefined));
  });
  if (problem !== undefined) return refused(`Cannot listen on ${hostname}:${port}: ${problem}.`);
  const { port: taken } = server.address() as AddressInfo;
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  const url = `${read === undefined ? "ws" : "wss"}://${shown}:${taken}`;
  return { ok: true, value: { url, close: relay.close } };
}

async function readPair({ certPath, keyPath }: NonNullable<RelayOptions["tls"]>) {
  const [cert, key] = await Promise.all([readFile(certPath, "utf8"), readFile(keyPath, "utf8")]);
  return { cert, key };
}

async function pageFile(directory: string, path: string): Promise<PageFile | undefined> {
  const name = path === "/" ? "guest.html" : normalize(path).slice(1);
  const type = types[extname(name)];
  // Only plain names below the folder: the path came over the network.
  if (type === undefined || !/^(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_.-]+$/.test(name) || name.includes(".."))
    return undefined;
  try {
    return { type, body: await readFile(join(directory, name)) };
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return path === "/" ? plainPage : undefined;
    throw error;
  }
}

/** Where the page was not built: the link still works in kedge. */
const plainPage: PageFile = {
  type: "text/html; charset=utf-8",
  body: new TextEncoder().encode(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>kedge relay</title><p>This is a kedge relay. Open the link with <code>kedge join</code>.</p></html>',
  ),
};
