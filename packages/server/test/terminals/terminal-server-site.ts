/** Terminals behind real admission on a real socket, and clients of their WebSockets. */
import { mkdirSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { type RawData, WebSocket } from "ws";
import { admitRequests } from "../../src/admission/admit-requests.ts";
import { createAdmissions } from "../../src/admission/create-admissions.ts";
import { listen } from "../../src/listen.ts";
import { joinTerminals } from "../../src/terminals/terminal-socket.ts";
import type { TerminalsParts } from "../../src/terminals/terminals.ts";
import { adminToken, promptToken } from "../admission/admission-site.ts";
import { openTerminalSite, type TerminalSite, waiting } from "./terminal-site.ts";

const patienceMs = 60_000;

export type SocketSite = TerminalSite & {
  readonly port: number;
  /** How many connections hold the place of work. */
  readonly inside: () => number;
  /** Pings all clients, and ends those that did not answer the last one. */
  beat(): void;
  /** Ended with the site. */
  connect(path: string, headers?: { readonly [name: string]: string }): Client;
  /** The status and the code of the answer that refuses it. */
  refusalOf(path: string, headers?: { readonly [name: string]: string | undefined }): Promise<readonly unknown[]>;
};

type Client = {
  readonly socket: WebSocket;
  readonly notes: readonly unknown[];
  bytes(): Buffer;
  text(): string;
  send(keys: string): void;
  note(note: unknown): void;
  /** The code and the reason of its end. */
  closed(): Promise<readonly unknown[]>;
};

export async function openSocketSite(
  options: { readonly terminals?: Partial<TerminalsParts> } = {},
): Promise<SocketSite> {
  const site = openTerminalSite(options.terminals);
  const home = join(site.place, "home");
  mkdirSync(home, { mode: 0o700 });
  const admissions = createAdmissions({
    ...{ boundTo: "127.0.0.1", hosts: [], origins: [], home, environment: process.env },
    now: () => site.clock.now,
    tokens: [
      { token: adminToken, scope: "admin", name: "start" },
      { token: promptToken, scope: "prompt", name: "run-file" },
    ],
    onNotice: () => undefined,
  });
  let inside = 0;
  const enter = () => {
    inside += 1;
    return () => {
      inside -= 1;
    };
  };
  const beats = new Set<() => void>();
  const problems: unknown[] = [];
  const listeners = admitRequests(admissions, {
    onRequest: (_request, response) => void response.end(),
    onUpgrade: joinTerminals({
      admissions,
      instances: {
        find: async (directory) =>
          directory === undefined
            ? { ok: true, instance: { terminals: async () => site.terminals, enter } }
            : { ok: false, problem: { status: 404, code: "directory", message: `${directory} not found.` } },
      },
      onBug: (error) => void problems.push(error),
      onBeat: (beat) => {
        beats.add(beat);
        return () => beats.delete(beat);
      },
    }),
    onProblem: (error) => void problems.push(error),
  });
  const server = await listen({ directory: site.place, port: 0 }, listeners);
  const { port } = server;
  const sockets: WebSocket[] = [];

  function dial(path: string, changed: { readonly [name: string]: string | undefined } = {}): WebSocket {
    const own = { authorization: `Bearer ${adminToken}`, origin: `http://127.0.0.1:${port}` };
    const headers = Object.fromEntries(
      Object.entries({ ...own, ...changed }).filter(([, value]) => value !== undefined),
    );
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on("error", () => undefined);
    sockets.push(socket);
    return socket;
  }

  return {
    ...site,
    port,
    inside: () => inside,
    beat: () => {
      for (const beat of beats) beat();
    },
    connect: (path, headers) => watchSocket(dial(path, headers)),
    refusalOf: (path, headers) =>
      new Promise((resolve, reject) => {
        const socket = dial(path, headers);
        socket.on("open", () => reject(new Error("it was let in")));
        socket.on("unexpected-response", (_request, response) => void answerOf(response).then(resolve, reject));
      }),
    async close() {
      // However busy the machine is, clients hear of the end of their terminal before anybody is cut off.
      const closing = server.close(patienceMs);
      await site.close();
      await closing;
      for (const socket of sockets) socket.terminate();
      expect(problems).toEqual([]);
    },
  };
}

async function answerOf(response: IncomingMessage): Promise<readonly unknown[]> {
  let text = "";
  for await (const piece of response) text += piece;
  const { error } = JSON.parse(text);
  return [response.statusCode, error.code, error.message];
}

function watchSocket(socket: WebSocket): Client {
  const pieces: Buffer[] = [];
  const notes: unknown[] = [];
  const ends: (readonly unknown[])[] = [];
  socket.on("message", (data: RawData, isBinary) => {
    // The library gives buffers unless asked for something else.
    const bytes = data as Buffer;
    if (isBinary) pieces.push(bytes);
    else notes.push(JSON.parse(bytes.toString("utf8")));
  });
  socket.on("close", (code, reason) => ends.push([code, reason.toString("utf8")]));
  const bytes = () => Buffer.concat(pieces);
  return {
    socket,
    notes,
    bytes,
    text: () => bytes().toString("utf8"),
    send: (keys) => socket.send(Buffer.from(keys)),
    note: (note) => socket.send(JSON.stringify(note)),
    async closed() {
      await expect.poll(() => ends.length, waiting).toBe(1);
      return ends[0] ?? [];
    },
  };
}
