/** The terminals of the user in one place of work: opened, listed, watched and ended. */
import {
  type CommandAnswer,
  type CommandOf,
  type Failure,
  notFound,
  type QueryAnswer,
  type Refused,
  refused,
} from "@kedge/protocol";
import { prepareStart, refusalOf, type StartParts } from "./prepare-start.ts";
import { type Attachment, startTerminal, type Terminal } from "./terminal.ts";
import type { TerminalSink } from "./terminal-clients.ts";

export type TerminalsParts = StartParts & {
  readonly now: () => number;
  /** How long a program waits for a client that takes nothing; five seconds if left out. */
  readonly stuckMs?: number;
};

/** Goes on after the bytes that the cursor counts; without it begins with the oldest that are kept. */
export type TerminalPlace = { readonly cursor?: number };

export type Attached = { readonly ok: true; readonly attachment: Attachment } | Refused;

export interface Terminals {
  open(command: CommandOf<"pty.open">): Promise<CommandAnswer<"pty.open">>;
  list(): QueryAnswer<"pty.list">;
  read(ptyId: string): QueryAnswer<"pty.read">;
  /** Ends and forgets it. */
  close(ptyId: string): Promise<CommandAnswer<"pty.close">>;
  attach(ptyId: string, place: TerminalPlace, sink: TerminalSink): Attached;
  /** Undefined where `attach` would do. */
  failureToAttach(ptyId: string, place: TerminalPlace): Failure | undefined;
  /** To be called now and then, and is while there are terminals: ends those that nobody uses, forgets ended ones. */
  sweep(): void;
  /** Nothing is left running, and nothing can be opened any more. */
  closeAll(): Promise<void>;
}

export const terminalsMax = 20;
export const idleMsMax = 60 * 60_000;
/** How long the exit code of an ended one can be asked for. */
export const endedKeptMs = 10 * 60_000;
const endedKeptMax = 20;
const clientsMax = 20;
const sweepMs = 60_000;
const stuckMsDefault = 5_000;

export function createTerminals(parts: TerminalsParts): Terminals {
  const { now } = parts;
  const terminals = new Map<string, Terminal>();
  const ending = new Set<Promise<void>>();
  let opening = 0;
  let isClosed = false;
  let sweeping: NodeJS.Timeout | undefined;

  const isRunning = (terminal: Terminal) => terminal.summary().exitCode === undefined;
  const running = () => [...terminals.values()].filter(isRunning);

  async function openOne(command: CommandOf<"pty.open">): Promise<CommandAnswer<"pty.open">> {
    const prepared = await prepareStart(parts, command);
    if (!prepared.ok) return prepared;
    if (isClosed) return refused("This workspace is being closed.");
    const { start, library } = prepared;
    try {
      const onExit = () => {
        // Background programs of a shell that is gone would run on with nobody to end them.
        void end(terminal);
        forgetOldest();
      };
      const terminal = startTerminal(start, {
        ...{ library, now, onExit },
        stuckMs: parts.stuckMs ?? stuckMsDefault,
      });
      terminals.set(start.ptyId, terminal);
      sweeping ??= setInterval(sweep, sweepMs).unref();
      return { ok: true, value: terminal.summary() };
    } catch (error) {
      // What the library throws is the system's word that it has no terminal or no process left.
      if (!(error instanceof Error)) throw error;
      return refused(`Could not open a terminal (${error.message}).`, "Close other programs and try again.");
    }
  }

  /** Terminals that ended are kept for their exit codes, but only so many. */
  function forgetOldest(): void {
    const ended = [...terminals.values()].filter((terminal) => !isRunning(terminal));
    for (const terminal of ended.slice(0, Math.max(0, ended.length - endedKeptMax))) forget(terminal);
  }

  function forget(terminal: Terminal): void {
    terminals.delete(terminal.summary().ptyId);
    if (terminals.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  /** Counted until it is over, so that closing all waits also for those that are gone from the list. */
  function end(terminal: Terminal): Promise<void> {
    const over = terminal.end().finally(() => ending.delete(over));
    ending.add(over);
    return over;
  }

  function sweep(): void {
    for (const terminal of terminals.values()) {
      const unusedMs = now() - terminal.usedAt();
      if (!isRunning(terminal) && unusedMs >= endedKeptMs) forget(terminal);
      else if (isRunning(terminal) && terminal.clients() === 0 && unusedMs >= idleMsMax) void end(terminal);
    }
  }

  function find(ptyId: string, { cursor }: TerminalPlace): Found {
    const terminal = terminals.get(ptyId);
    if (terminal === undefined) return notFound("terminal", ptyId);
    const { cursor: written } = terminal.summary();
    if (cursor !== undefined && !(Number.isInteger(cursor) && cursor >= 0 && cursor <= written)) {
      return refused(`Invalid cursor ${cursor}: the terminal has written ${written} bytes.`, "Omit it.");
    }
    if (terminal.clients() >= clientsMax) return refused(`The terminal already has ${clientsMax} clients.`);
    return { ok: true, terminal };
  }

  return {
    async open(command) {
      const refusal = refusalOf(parts, command);
      if (refusal !== undefined) return refusal;
      if (running().length + opening >= terminalsMax) {
        return refused(`${terminalsMax} terminals are already open.`, "Close one first.");
      }
      opening += 1;
      try {
        return await openOne(command);
      } finally {
        opening -= 1;
      }
    },
    list: () => ({ ok: true, value: { terminals: [...terminals.values()].map((terminal) => terminal.summary()) } }),
    read(ptyId) {
      const terminal = terminals.get(ptyId);
      if (terminal === undefined) return notFound("terminal", ptyId);
      return { ok: true, value: { ...terminal.summary(), screen: terminal.screen() } };
    },
    async close(ptyId) {
      const terminal = terminals.get(ptyId);
      if (terminal === undefined) return notFound("terminal", ptyId);
      await end(terminal);
      forget(terminal);
      return { ok: true, value: {} };
    },
    failureToAttach(ptyId, place) {
      const found = find(ptyId, place);
      return found.ok ? undefined : found.failure;
    },
    attach(ptyId, place, sink) {
      const found = find(ptyId, place);
      return found.ok ? { ok: true, attachment: found.terminal.attach(sink, place.cursor) } : found;
    },
    sweep,
    async closeAll() {
      isClosed = true;
      clearInterval(sweeping);
      for (const terminal of terminals.values()) void end(terminal);
      await Promise.all(ending);
      terminals.clear();
    },
  };
}

type Found = { readonly ok: true; readonly terminal: Terminal } | Refused;
