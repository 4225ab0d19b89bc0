/** Real terminals in a directory of a test, and a client that keeps all it is sent. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandOf, PtyLibrary } from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import { expect } from "vitest";
import type { Attachment } from "../../src/terminals/terminal.ts";
import type { TerminalSink } from "../../src/terminals/terminal-clients.ts";
import { createTerminals, type Terminals, type TerminalsParts } from "../../src/terminals/terminals.ts";

export type TerminalSite = {
  readonly place: string;
  readonly root: string;
  readonly clock: { now: number };
  readonly terminals: Terminals;
  /** Its id. Fails the test when it cannot be opened. */
  open(command?: string, fields?: Omit<CommandOf<"pty.open">, "type" | "command">): Promise<string>;
  watch(ptyId: string, cursor?: number): Watcher;
  /** Of the program in a terminal that writes `pid <number>` by itself. */
  pidIn(ptyId: string, name?: string): Promise<number>;
  exitCodeOf(ptyId: string): Promise<number>;
  close(): Promise<void>;
};

type Watcher = {
  readonly attachment: Attachment;
  /** In their order: where it began anew, with what was lost, and the exit code at the end. */
  readonly notes: readonly object[];
  bytes(): Buffer;
  text(): string;
};

export const waiting = { interval: 10 };

export function openTerminalSite(changed: Partial<TerminalsParts> = {}): TerminalSite {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-terminals-")));
  const root = join(place, "project");
  mkdirSync(root);
  const clock = { now: 1_700_000_000_000 };
  let ids = 0;
  const terminals = createTerminals({
    isAllowed: true,
    root,
    lookAtPath: createLookAtPath({ root, added: [] }),
    environment: () => ({ PATH: process.env["PATH"] ?? "", HOME: place, LC_ALL: "C.UTF-8" }),
    shellPath: "/bin/bash",
    // What is used of it is more than its types tell.
    load: async () => (await import("@lydell/node-pty")) as unknown as PtyLibrary,
    now: () => clock.now,
    newId: (prefix) => `${prefix}${process.pid}_${place.slice(-6)}_${++ids}`,
    ...changed,
  });

  function watch(ptyId: string, cursor?: number): Watcher {
    const pieces: Uint8Array[] = [];
    const notes: object[] = [];
    const sink: TerminalSink = {
      begin: (begun, lost) => void notes.push({ cursor: begun, lost }),
      write: (bytes) => pieces.push(bytes) > 0,
      wake: () => void notes.push({ isAwake: true }),
      end: (exitCode) => void notes.push({ exitCode }),
    };
    const attached = terminals.attach(ptyId, cursor === undefined ? {} : { cursor }, sink);
    if (!attached.ok) throw new Error(attached.failure.message);
    const bytes = () => Buffer.concat(pieces);
    return { attachment: attached.attachment, notes, bytes, text: () => bytes().toString("utf8") };
  }

  function screenOf(ptyId: string): string {
    const read = terminals.read(ptyId);
    return read.ok ? read.value.screen : "";
  }

  function exitCodeIn(ptyId: string): number | undefined {
    const read = terminals.read(ptyId);
    return read.ok ? read.value.exitCode : undefined;
  }

  return {
    ...{ place, root, clock, terminals, watch },
    async open(command, fields = {}) {
      const given = command === undefined ? {} : { command };
      const opened = await terminals.open({ type: "pty.open", ...given, ...fields });
      if (!opened.ok) throw new Error(opened.failure.message);
      return opened.value.ptyId;
    },
    async pidIn(ptyId, name = "pid") {
      const written = new RegExp(`${name} (\\d+)\\r`);
      await expect.poll(() => screenOf(ptyId), waiting).toMatch(written);
      return Number(written.exec(screenOf(ptyId))?.[1]);
    },
    async exitCodeOf(ptyId) {
      await expect.poll(() => exitCodeIn(ptyId), waiting).toBeTypeOf("number");
      return exitCodeIn(ptyId) ?? Number.NaN;
    },
    async close() {
      await terminals.closeAll();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** One that waits to be collected is over. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
