/** A server that is a process of this machine: JSON lines over its standard streams, and an end for its whole group. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { attemptStart, endGroup, tiedStart } from "@kedge/protocol";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { StdioServer } from "../server.ts";
import { PlainError } from "./connect-failure.ts";
import { createFloodGuard } from "./flood-guard.ts";
import { messageBytesMax, tooLong } from "./limits.ts";
import { createLineReader } from "./line-reader.ts";
import { type CheckMessage, createOpenRequests, readMessage, readMessages } from "./read-message.ts";
import type { ServerLog } from "./server-log.ts";

export type StdioParts = {
  /** Without secrets; ties what is started to this kedge. */
  readonly environment: { readonly [name: string]: string };
  readonly cwd: string;
  readonly log: ServerLog;
  /** Checked by the library, which owns the shape of messages. */
  readonly checkMessage: CheckMessage;
};

export type StdioTransport = Transport & {
  /** The library tells from these two that silence means an old server and not an outage. */
  readonly pid: number | null;
  readonly stderr: null;
  /** Of a process that ended by itself. */
  exitCode(): number | undefined;
  /** Why kedge ended it, for people, without a full stop. */
  whyEnded(): string | undefined;
};

const politeMs = 1_500;
const firmMs = 500;

/** Not the library's own transport: that one starts servers twice, inherits variables and leaves grandchildren behind. */
export function createStdioTransport(server: StdioServer, parts: StdioParts): StdioTransport {
  const { log } = parts;
  let child: ChildProcessWithoutNullStreams | undefined;
  let closing: Promise<void> | undefined;
  let isOver = false;
  let exitCode: number | undefined;
  let whyEnded: string | undefined;
  const open = createOpenRequests();
  const isRead = createFloodGuard(() => log.note("It sends more notices or requests than are read."));

  const transport: StdioTransport & { pid: number | null } = {
    ...{ start, send, close, pid: null, stderr: null },
    exitCode: () => exitCode,
    whyEnded: () => whyEnded,
  };

  function start(): Promise<void> {
    const environment = { ...parts.environment, ...server.env };
    const cwd = resolve(parts.cwd, server.cwd ?? "");
    // The system would say that the program is missing.
    if (!existsSync(cwd)) return Promise.reject(new PlainError(`its cwd ${cwd} does not exist`));
    const { file, args } = tiedStart({ file: server.command, args: server.args }, environment);
    const started = attemptStart(() =>
      // A group of its own, so that nothing of it is left when it is ended.
      spawn(file, args, { cwd, env: environment, stdio: "pipe", detached: true }),
    );
    if ("problem" in started) return Promise.reject(new PlainError(`it could not be started (${started.problem})`));
    child = started;
    transport.pid = started.pid ?? null;
    const reader = createLineReader({
      lineBytesMax: messageBytesMax,
      onLine: receive,
      onTooLong() {
        whyEnded = tooLong;
        fail(new Error(tooLong));
        endGroup(started.pid, "SIGKILL");
      },
    });
    started.stdout.on("data", reader.add);
    started.stderr.setEncoding("utf8").on("data", log.write);
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on("error", fail);
    started.once("exit", (code, signal) => {
      exitCode = code ?? undefined;
      log.note(signal === null ? `The process exited with code ${code}.` : `The process was killed by ${signal}.`);
      // What it started may hold the pipes open; nobody waits for that, and it ends with it.
      endGroup(started.pid, "SIGKILL");
      over();
    });
    return new Promise((resolve, reject) => {
      started.once("spawn", () => {
        log.note(`Started with pid ${started.pid}.`);
        resolve();
      });
      started.once("error", (error) => {
        reject(error);
        over();
      });
    });
  }

  function receive(line: string): void {
    if (line.trim() === "") return;
    try {
      for (const message of readMessages(line)) {
        const read = () => transport.onmessage?.(readMessage(open.withId(message), parts.checkMessage));
        if (isRead(message, read)) read();
      }
    } catch (error) {
      // Many servers print a greeting; whoever waits for an answer that never comes has a time limit.
      log.note(`Not a message on standard output: ${line.slice(0, 200)}`);
      fail(error);
    }
  }

  function fail(error: unknown): void {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  function over(): void {
    if (isOver) return;
    isOver = true;
    child?.stdin.destroy();
    child?.stdout.destroy();
    child?.stderr.destroy();
    transport.onclose?.();
  }

  function send(message: JSONRPCMessage): Promise<void> {
    const stdin = child?.stdin;
    if (stdin === undefined || isOver || !stdin.writable) return Promise.reject(new Error("the server is not running"));
    open.sent(message);
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  function close(): Promise<void> {
    closing ??= end();
    return closing;
  }

  /** As servers expect it: the end of their input first, then a request, then force. */
  async function end(): Promise<void> {
    const ending = child;
    if (ending === undefined || isOver) return;
    const exited = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
    ending.stdin.end();
    if (await settles(exited, politeMs)) return;
    endGroup(ending.pid, "SIGTERM");
    if (await settles(exited, firmMs)) return;
    endGroup(ending.pid, "SIGKILL");
    await settles(exited, firmMs);
    over();
  }

  return transport;
}

/** Ends a server at once, when kedge itself ends. */
export function endAtOnce({ pid }: Pick<StdioTransport, "pid">): void {
  endGroup(pid ?? undefined, "SIGTERM");
}

async function settles(done: Promise<void>, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), withinMs);
  const isDone = await Promise.race([done.then(() => true), promise]);
  clearTimeout(timer);
  return isDone;
}
