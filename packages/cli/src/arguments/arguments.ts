/** Turns the command line into what is asked for, or into the sentence that says why it cannot be. */
import {
  actionsOf,
  type CommandWithWords,
  commandNames,
  commandTable,
  findCommand,
  type SessionAction,
} from "../commands/command-table.ts";
import { argumentTexts } from "../texts/arguments.ts";
import type { Flags } from "./flags.ts";
import { nearWords } from "./near-words.ts";
import { splitArguments } from "./split-arguments.ts";

export type { CommandWithWords, SessionAction } from "../commands/command-table.ts";

export type Invocation =
  | { readonly kind: "version" }
  | { readonly kind: "help" }
  /** The command, and its action if one was named. */
  | { readonly kind: "command-help"; readonly topic: readonly string[] }
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

const guessesMax = 3;

export function parseArguments(argv: readonly string[]): ParsedArguments {
  const split = splitArguments(argv);
  if (!split.ok) return split;
  const { flags, words, verbatim } = split;
  if (flags.version) return { ok: true, invocation: { kind: "version" } };
  if (flags.help) return help(flags.print ? [] : words);
  const conflict = conflictIn(flags);
  if (conflict !== undefined) return wrong(conflict);
  const parsed = flags.print ? headless([...words, ...verbatim], flags) : commandOf(words, verbatim, flags);
  const misplaced = parsed.ok ? misplacedIn(parsed.invocation) : undefined;
  return misplaced === undefined ? parsed : wrong(misplaced);
}

function commandOf(words: readonly string[], verbatim: readonly string[], flags: Flags): ParsedArguments {
  const [first = "", ...rest] = words;
  const command = findCommand(first);
  const after = [...rest, ...verbatim];
  if (command === undefined) {
    const mistyped = verbatim.length === 0 ? mistypedCommand(words) : undefined;
    return mistyped === undefined ? consoleWith([...words, ...verbatim], flags) : wrong(mistyped);
  }
  switch (command.name) {
    case "run":
      return headless(after, flags);
    case "resume":
      return resume(after, flags);
    case "help":
      return help(after, { isAsked: true });
    case "demo":
    case "undo":
    case "redo":
      if (after.length > 0) return wrong(argumentTexts.doesNotAccept(command.name, JSON.stringify(after[0])));
      return { ok: true, invocation: { kind: command.name, flags } };
    case "journal":
    case "session":
      return sessionCommand(command, after, flags);
    default:
      return { ok: true, invocation: { kind: command.name, words: after, flags } };
  }
}

function headless(words: readonly string[], flags: Flags): ParsedArguments {
  return { ok: true, invocation: { kind: "headless", prompt: words.join(" "), flags } };
}

function consoleWith(words: readonly string[], flags: Flags): ParsedArguments {
  return { ok: true, invocation: { kind: "console", prompt: words.join(" "), flags } };
}

/** `kedge resume <id> <prompt>` is `kedge --resume <id> <prompt>`. */
function resume([name, ...prompt]: readonly string[], flags: Flags): ParsedArguments {
  if (flags.continue || flags.resume !== undefined) return wrong(argumentTexts.resumeWithItself);
  return consoleWith(prompt, { ...flags, ...(name === undefined ? { pickSession: true } : { resume: name }) });
}

/** `kedge journal` knows one of the actions of `kedge session`. */
function sessionCommand(
  command: Extract<(typeof commandTable)[number], { readonly reads: "action" }>,
  [word, ...words]: readonly string[],
  flags: Flags,
): ParsedArguments {
  const action = command.actions.find((each) => each === word);
  if (action !== undefined) return { ok: true, invocation: { kind: "session", action, words, flags } };
  const { name, actions } = command;
  return wrong(
    word === undefined
      ? argumentTexts.needsAction(name, actions.join(", "))
      : unknown(argumentTexts.commandOf(name), word, actions),
  );
}

/** About a command, or about everything where no command is named. */
function help(
  [name, action]: readonly string[],
  { isAsked }: { readonly isAsked: boolean } = { isAsked: false },
): ParsedArguments {
  const command = name === undefined ? undefined : findCommand(name);
  if (command === undefined) {
    if (isAsked && name !== undefined) return wrong(unknown("command", name, commandNames));
    return { ok: true, invocation: { kind: "help" } };
  }
  const isAction = action !== undefined && actionsOf(command).includes(action);
  return { ok: true, invocation: { kind: "command-help", topic: isAction ? [command.name, action] : [command.name] } };
}

/** One plain word is hardly a prompt; several are one, unless they would be a command but for a slip. */
function mistypedCommand([first = "", second, ...rest]: readonly string[]): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(first)) return undefined;
  const sentence = unknown("command", first, commandNames);
  if (second === undefined) return argumentTexts.asPrompt(sentence);
  const meant = nearWords(first, commandNames, guessesMax);
  const isAction = commandTable.some((row) => meant.includes(row.name) && actionsOf(row).includes(second));
  return isAction && rest.length <= 1 ? argumentTexts.quotePrompt(sentence) : undefined;
}

function conflictIn(flags: Flags): string | undefined {
  const { permissionMode, skipPermissions } = flags;
  const takesUp = flags.continue || flags.resume !== undefined || flags.pickSession;
  if (flags.continue && (flags.resume !== undefined || flags.pickSession)) {
    return argumentTexts.continueAndResume;
  }
  if (flags.forkSession && !takesUp) return argumentTexts.forkNeedsSession;
  if (flags.sessionId !== undefined && takesUp) {
    return argumentTexts.sessionIdWithResume;
  }
  if (permissionMode === "bypass" && !skipPermissions) {
    return argumentTexts.bypassNeedsFlag;
  }
  if (skipPermissions && permissionMode !== undefined && permissionMode !== "bypass") {
    return argumentTexts.bypassWithMode(permissionMode);
  }
  return undefined;
}

const beginsSession: ReadonlySet<Invocation["kind"]> = new Set(["headless", "console", "attach"]);

/** Flags that only one kind of run can follow; another one would seem to. */
function misplacedIn(invocation: Invocation): string | undefined {
  if (!("flags" in invocation)) return undefined;
  const { kind, flags } = invocation;
  if (flags.fromAgent !== undefined && kind !== "import") return argumentTexts.fromOnlyImports(flags.fromAgent);
  if (flags.from !== undefined && kind === "import") return argumentTexts.importNeedsAgent;
  if (flags.inputFormat === "stream-json" && kind !== "headless") return argumentTexts.inputFormatNeedsPrint;
  if (flags.includePartialMessages && flags.outputFormat !== "stream-json") {
    return argumentTexts.partialNeedsStreamJson;
  }
  if (flags.pickSession && kind !== "console" && kind !== "attach") {
    return argumentTexts.resumeNeedsSession;
  }
  if (flags.sessionId !== undefined && !beginsSession.has(kind)) {
    return argumentTexts.sessionIdIsNew;
  }
  return undefined;
}

function unknown(what: string, word: string, known: readonly string[]): string {
  const meant = nearWords(word, known, guessesMax);
  return argumentTexts.unknown(what, word, meant);
}

function wrong(sentence: string): ParsedArguments {
  return { ok: false, sentence };
}
