/** The table of commands: what each is called, what may follow it, and what it stands for. Read at every start. */
import { memoryActions } from "@kedge/host";

/** How the words after a command are read. */
type Reading =
  /** As a prompt. */
  | "prompt"
  /** Not at all: there are none. */
  | "nothing"
  /** By the command itself. */
  | "words"
  /** The first as an action of this table, the rest by that action. */
  | "action";

type CommandRow = {
  readonly name: string;
  readonly reads: Reading;
  /** The words that may come first after it, for completion and for guesses. */
  readonly actions?: readonly string[];
};

/** What each is for is told by `texts/command-help.json`, which only the help reads. */
export const commandTable = [
  { name: "run", reads: "prompt" },
  { name: "resume", reads: "prompt" },
  { name: "demo", reads: "nothing" },
  {
    name: "session",
    reads: "action",
    actions: [
      "list",
      "search",
      "show",
      "tree",
      "label",
      "fork",
      "rename",
      "archive",
      "delete",
      "export",
      "import",
      "scrub",
      "prune",
      "replay",
      "verify",
    ],
  },
  { name: "journal", reads: "action", actions: ["verify"] },
  { name: "undo", reads: "nothing" },
  { name: "redo", reads: "nothing" },
  { name: "models", reads: "words" },
  { name: "auth", reads: "words", actions: ["login", "logout", "list", "status"] },
  { name: "providers", reads: "words", actions: ["list", "install"] },
  { name: "stats", reads: "words" },
  { name: "cost", reads: "words", actions: ["why"] },
  { name: "explain", reads: "words", actions: ["permission", "path", "url", "text", "tools", "script"] },
  { name: "permissions", reads: "words", actions: ["test", "explain"] },
  { name: "instructions", reads: "words", actions: ["approve", "accept", "split"] },
  { name: "hooks", reads: "words", actions: ["list", "doctor", "run"] },
  { name: "lsp", reads: "words", actions: ["list"] },
  {
    name: "mcp",
    reads: "words",
    actions: [
      "list",
      "get",
      "add",
      "add-json",
      "import",
      "remove",
      "approve",
      "test",
      "logs",
      "auth",
      "logout",
      "serve",
    ],
  },
  {
    name: "memory",
    reads: "words",
    // One of them is for the command line alone.
    actions: [...memoryActions, "search"],
  },
  { name: "agents", reads: "words", actions: ["list", "show"] },
  { name: "skills", reads: "words", actions: ["list"] },
  { name: "commands", reads: "words", actions: ["list"] },
  {
    name: "plugin",
    reads: "words",
    actions: ["add", "install", "remove", "enable", "disable", "list", "update", "search", "marketplace", "validate"],
  },
  { name: "workflow", reads: "words", actions: ["list", "run", "resume", "runs", "show"] },
  { name: "grade", reads: "words" },
  { name: "team", reads: "words", actions: ["list", "show", "land", "stop"] },
  { name: "reproduce", reads: "words" },
  { name: "prove", reads: "words" },
  { name: "land", reads: "words" },
  { name: "worktree", reads: "words", actions: ["list", "add", "remove", "prune"] },
  { name: "trust", reads: "words", actions: ["show", "add", "remove"] },
  {
    name: "config",
    reads: "words",
    actions: ["get", "set", "unset", "set-aside", "explain", "list", "schema", "path"],
  },
  { name: "import", reads: "words" },
  { name: "doctor", reads: "words" },
  { name: "eval", reads: "words", actions: ["classifier"] },
  { name: "bench", reads: "words", actions: ["brief"] },
  { name: "serve", reads: "words" },
  { name: "web", reads: "words" },
  { name: "desktop", reads: "words" },
  { name: "attach", reads: "words" },
  { name: "join", reads: "words" },
  { name: "relay", reads: "words" },
  { name: "share", reads: "words", actions: ["list", "revoke"] },
  { name: "devices", reads: "words", actions: ["list", "revoke", "rename", "pair"] },
  { name: "token", reads: "words", actions: ["add", "list", "remove"] },
  { name: "acp", reads: "words" },
  { name: "completion", reads: "words", actions: ["bash", "zsh", "fish"] },
  { name: "help", reads: "words" },
] as const satisfies readonly CommandRow[];

type Row = (typeof commandTable)[number];

/** Commands that read the words after them themselves. */
export type CommandWithWords = Exclude<Extract<Row, { readonly reads: "words" }>["name"], "help">;

export type SessionAction = Extract<Row, { readonly name: "session" }>["actions"][number];

export const commandNames: readonly string[] = commandTable.map(({ name }) => name);

export function findCommand(name: string): Row | undefined {
  return commandTable.find((row) => row.name === name);
}

export function actionsOf(row: CommandRow): readonly string[] {
  return row.actions ?? [];
}
