/** What a slash command can reach: the session, the engine behind it, and the few things only the screen can do. */

import type { Client, Question, SessionView } from "@kedge/protocol";
import type { SessionDesk } from "../app/session/session-desk.ts";
import type { ClientState, Notice } from "../state/client-state.ts";
import { anyCommandTexts } from "../texts/commands.ts";

/**
 * `sessions` and `tree` take words to filter by; `help` takes `keys` to begin there; `diff` takes the patch to read;
 * the others take nothing. `pick` is `sessions` at the start, for the one that the command line speaks of.
 */
export type DialogName =
  | "palette"
  | "help"
  | "models"
  | "modes"
  | "sessions"
  | "pick"
  | "tree"
  | "rewind"
  | "themes"
  | "status"
  | "cost"
  | "context"
  | "stats"
  | "permissions"
  | "tasks"
  | "agents"
  | "memory-inbox"
  | "servers"
  | "providers"
  | "diff"
  | "pager";

export type CommandContext = {
  readonly client: Client;
  /** Looked at only where it is used: it throws until the engine is up, when there is no session either. */
  readonly desk: SessionDesk;
  state(): ClientState;
  notice(tone: Notice["tone"], text: string): void;
  open(name: DialogName, argument?: string): void;
  /** One answer per question; undefined when the user leaves them. */
  askQuestions(questions: readonly Question[]): Promise<readonly string[] | undefined>;
  themeNames(): readonly string[];
  /** Takes the theme and keeps it; tells by itself when it cannot be shown. */
  setTheme(name: string): void;
  /** Without a wish the other way round, like all switches here. */
  setVim(isOn?: boolean): void;
  setThinking(isShown?: boolean): void;
  /** Of the terminal; those of the engine are read again by its own command. */
  reloadSettings(): Promise<void>;
  exit(): void;
  copy(text: string): void;
  /** Empty before the first one. */
  lastAnswer(): string;
  /** A path that is not absolute begins at the directory of the session. Gives back a sentence about what came of it. */
  writeFile(path: string, text: string): Promise<string>;
  /** Written outside every project. */
  writeReport(name: string, text: string): Promise<{ readonly ok: boolean; readonly sentence: string }>;
};

/** What the arguments of a command are found by. */
export type ArgumentContext = Pick<CommandContext, "client" | "state" | "themeNames">;

/** Tells what to do when there is none. */
export function sessionOf({ state, notice }: CommandContext): SessionView | undefined {
  const { session } = state();
  if (session === undefined) notice("warning", anyCommandTexts.noSession);
  return session;
}
