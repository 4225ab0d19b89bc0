/** Turns the command line into what is asked for, or into the sentence that says why it cannot be. */
import { nearNames } from "@kedge/protocol";
import { type Flag, type Flags, flagNames, flagTable } from "./flags.ts";

/** Commands that read the words after them themselves. */
export type CommandWithWords =
  | "models"
  | "providers"
  | "auth"
  | "stats"
  | "cost"
  | "explain"
  | "permissions"
  | "trust"
  | "config"
  | "eval"
  | "doctor"
  | "serve"
  | "attach"
  | "token"
  | "acp";

export type SessionAction =
  | "list"
  | "search"
  | "show"
  | "tree"
  | "label"
  | "fork"
  | "rename"
  | "archive"
  | "delete"
  | "export"
  | "import"
  | "scrub"
  | "prune"
  | "replay"
  | "verify";

export type Invocation =
  | { readonly kind: "version" }
  | { readonly kind: "help" }
  | { readonly kind: "headless"; readonly prompt: string; readonly flags: Flags }
  | { readonly kind: "console"; readonly prompt: string; readonly flags: Flags }
  | { readonly kind: "demo"; readonly flags: Flags }
  | { readonly kind: "undo" | "redo"; readonly flags: Flags }
  | { readonly kind: CommandWithWords; readonly words: readonly string[]; readonly flags: Flags }
  | {
      readonly kind: "session";
      readonly action: SessionAction;
      readonly words: readonly string[];
      readonly flags: Flags;
    };

export type ParsedArguments =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly sentence: string };

const commandsWithWords: readonly CommandWithWords[] = [
  "models",
  "providers",
  "auth",
  "stats",
  "cost",
  "explain",
  "permissions",
  "trust",
  "config",
  "eval",
  "doctor",
  "serve",
  "attach",
  "token",
  "acp",
];
const commands: readonly string[] = ["run", "demo", "session", "undo", "redo", ...commandsWithWords, "help"];
const sessionActions: readonly SessionAction[] = [
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
];

export function parseArguments(argv: readonly string[]): ParsedArguments {
  const split = splitArguments(argv);
  if (!split.ok) return split;
  const { flags, words, verbatim } = split;
  if (flags.version) return { ok: true, invocation: { kind: "version" } };
  if (flags.help) return { ok: true, invocation: { kind: "help" } };
  const conflict = conflictIn(flags);
  if (conflict !== undefined) return { ok: false, sentence: conflict };
  const [first = "", ...rest] = words;
  if (flags.print) return headless([...words, ...verbatim], flags);
  switch (first) {
    case "run":
      return headless([...rest, ...verbatim], flags);
    case "help":
      return { ok: true, invocation: { kind: "help" } };
    case "demo":
    case "undo":
    case "redo":
      if (rest.length > 0) return { ok: false, sentence: `kedge ${first} takes no ${JSON.stringify(rest[0])}.` };
      return { ok: true, invocation: { kind: first, flags } };
    case "session":
      return sessionCommand([...rest, ...verbatim], flags);
    case "models":
    case "providers":
    case "auth":
    case "stats":
    case "cost":
    case "explain":
    case "permissions":
    case "trust":
    case "config":
    case "eval":
    case "doctor":
    case "serve":
    case "attach":
    case "token":
    case "acp":
      return { ok: true, invocation: { kind: first, words: [...rest, ...verbatim], flags } };
    default:
      if (words.length === 1 && verbatim.length === 0 && /^[a-z][a-z-]*$/.test(first)) {
        return { ok: false, sentence: `${unknown("command", first, commands)} A prompt of one word goes after --.` };
      }
      return { ok: true, invocation: { kind: "console", prompt: [...words, ...verbatim].join(" "), flags } };
  }
}

function headless(words: readonly string[], flags: Flags): ParsedArguments {
  return { ok: true, invocation: { kind: "headless", prompt: words.join(" "), flags } };
}

function sessionCommand([word, ...words]: readonly string[], flags: Flags): ParsedArguments {
  const action = sessionActions.find((each) => each === word);
  if (action === undefined) {
    const sentence =
      word === undefined
        ? `kedge session needs one of ${sessionActions.join(", ")}.`
        : unknown("session command", word, sessionActions);
    return { ok: false, sentence };
  }
  return { ok: true, invocation: { kind: "session", action, words, flags } };
}

function conflictIn(flags: Flags): string | undefined {
  if (flags.continue && flags.resume !== undefined) return "--continue and --resume cannot be used together.";
  if (flags.permissionMode === "bypass" && !flags.skipPermissions) {
    return "The mode bypass also needs --dangerously-skip-permissions.";
  }
  if (flags.skipPermissions && flags.permissionMode !== undefined && flags.permissionMode !== "bypass") {
    return `--dangerously-skip-permissions cannot be used with the mode ${flags.permissionMode}.`;
  }
  return undefined;
}

type Split =
  | {
      readonly ok: true;
      readonly flags: Flags;
      readonly words: readonly string[];
      /** What stood after `--`, never read as a flag or a command. */
      readonly verbatim: readonly string[];
    }
  | { readonly ok: false; readonly sentence: string };

function splitArguments(argv: readonly string[]): Split {
  const flags: Flags = {};
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (argument === "--") return { ok: true, flags, words, verbatim: argv.slice(index + 1) };
    if (!argument.startsWith("-") || argument === "-") {
      words.push(argument);
      continue;
    }
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const flag = flagTable.find((each) => each.names.includes(name));
    if (flag === undefined) return { ok: false, sentence: unknown("flag", name, flagNames) };
    const inline = equals === -1 ? undefined : argument.slice(equals + 1);
    if (flag.takes !== undefined && inline === undefined) index += 1;
    const wrong = setFlag(flag, flags, { name, value: flag.takes === undefined ? inline : (inline ?? argv[index]) });
    if (wrong !== undefined) return { ok: false, sentence: wrong };
  }
  return { ok: true, flags, words, verbatim: [] };
}

function setFlag(flag: Flag, flags: Flags, given: { readonly name: string; readonly value: string | undefined }) {
  const { name, value } = given;
  if (flag.takes === undefined) return value === undefined ? flag.set(flags, "") : `${name} takes no value.`;
  if (value === undefined) return `${name} needs a value: ${name} <${flag.takes}>.`;
  const expected = flag.set(flags, value);
  return expected === undefined ? undefined : `${name} must be ${expected}, found ${JSON.stringify(value)}.`;
}

function unknown(what: string, word: string, known: readonly string[]): string {
  const nearest = nearNames(word, known, { countMax: 1 })[0];
  return `Unknown ${what} ${word}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
}
