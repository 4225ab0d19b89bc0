/** Lists the commands of a script in the order they are written, with the line and what is around each of them. */
import { parseScript } from "../syntax/parse-script.ts";
import type { Command, CompoundCommand, Redirection, Script, SimpleCommand, Word } from "../syntax/script.ts";

export type ScriptCommand = {
  readonly line: number;
  /** Quotes resolved as far as they can be, variables as written. */
  readonly words: readonly string[];
  /** The program is the value of a variable or the output of a command. */
  readonly isProgramComputed: boolean;
  readonly assignments: readonly string[];
  readonly writes: readonly string[];
  /** The commands before it in the pipe, each as one text, and those whose output is read by `<(…)`. */
  readonly feeds: readonly string[];
};

export type ListedScript = {
  readonly commands: readonly ScriptCommand[];
  /** Lines that could not be read, by number. */
  readonly unread: readonly number[];
};

type Listing = { readonly text: string; readonly commands: ScriptCommand[]; at: number; line: number; lineAt: number };

/** Texts in texts: `bash -c "…"`, `eval "…"`. */
const depthMax = 8;

export function listCommands(text: string): ListedScript {
  const whole = parsed(text);
  if (whole !== undefined) return { commands: listed(whole, text, 1, 0), unread: [] };
  return listPieces(text);
}

/** Attempts to read a piece; what is behind the last one counts as not understood. */
const attemptsMax = 20_000;
const pieceLinesMax = 60;
/** Lines that only close or part what is not understood. */
const bareLine = /^\s*(?:#|$|\}|\)|fi\b|done\b|esac\b|else\b|elif\b|then\b|do\b|;;)/;

/** What does not fit the strict grammar as a whole is read in pieces that do, so that one odd line hides no other. */
function listPieces(text: string): ListedScript {
  const commands: ScriptCommand[] = [];
  const unread: number[] = [];
  const lines = text.split("\n");
  let attempts = 0;
  for (let start = 0; start < lines.length; ) {
    if (attempts >= attemptsMax) return { commands, unread: [...unread, start + 1] };
    const piece = readPiece(lines, start, () => {
      attempts += 1;
    });
    if (piece === undefined && !bareLine.test(lines[start] ?? "")) unread.push(start + 1);
    if (piece !== undefined) commands.push(...listed(piece.script, piece.text, start + 1, 0));
    start += piece?.lines ?? 1;
  }
  return { commands, unread };
}

function readPiece(lines: readonly string[], start: number, count: () => void) {
  for (let length = 1; length <= pieceLinesMax && start + length <= lines.length; length += 1) {
    count();
    const text = lines.slice(start, start + length).join("\n");
    const script = parsed(text);
    if (script !== undefined) return { script, text, lines: length };
  }
  // The head of a block whose end is not understood: what it starts is read line by line.
  const line = lines[start] ?? "";
  const bare = line.replace(/^\s*(?:if|elif|while|until|then|do|else)\s+|;\s*(?:then|do)\s*$|\s*\{\s*$/g, "");
  const script = bare === line ? undefined : parsed(bare);
  return script === undefined ? undefined : { script, text: bare, lines: 1 };
}

function parsed(text: string): Script | undefined {
  const result = parseScript(text);
  return result.ok ? result.script : undefined;
}

function listed(script: Script, text: string, firstLine: number, depth: number): readonly ScriptCommand[] {
  const listing: Listing = { text, commands: [], at: 0, line: firstLine, lineAt: 0 };
  visitScript(script, listing, depth);
  return listing.commands;
}

/** What a loop or a group reads from a pipe, any command in it may read. */
function visitScript(script: Script, listing: Listing, depth: number, outer: readonly string[] = []): void {
  for (const { pipelines } of script.lists) {
    for (const { commands } of pipelines) {
      const feeds = [...outer];
      for (const command of commands) {
        visitCommand(command, listing, [...feeds], depth);
        feeds.push(textOf(command));
      }
    }
  }
}

function visitCommand(command: Command, listing: Listing, feeds: readonly string[], depth: number): void {
  if (command.kind === "simple") visitSimple(command, listing, feeds, depth);
  else if (command.kind === "compound") visitCompound(command, listing, feeds, depth);
  else visitCommand(command.body, listing, feeds, depth);
}

function visitCompound(command: CompoundCommand, listing: Listing, feeds: readonly string[], depth: number): void {
  for (const word of command.words) visitNested(word, listing, depth);
  for (const body of bodiesOf(command.shape)) visitScript(body, listing, depth, feeds);
  for (const { target } of command.redirections) visitNested(target, listing, depth);
}

function bodiesOf(shape: CompoundCommand["shape"]): readonly Script[] {
  switch (shape.kind) {
    case "group":
    case "subshell":
    case "for":
      return [shape.body];
    case "if":
      return [
        ...shape.branches.flatMap(({ condition, body }) => [condition, body]),
        ...(shape.otherwise === undefined ? [] : [shape.otherwise]),
      ];
    case "while":
      return [shape.condition, shape.body];
    case "case":
      return shape.bodies;
    case "expression":
      return [];
  }
}

function visitSimple(command: SimpleCommand, listing: Listing, piped: readonly string[], depth: number): void {
  const { words, assignments, redirections } = command;
  const place = findPlace(command, listing);
  listing.at = place.start;
  const line = lineAt(place.start, listing);
  const feeds = [
    ...piped,
    ...words.flatMap(processTexts),
    ...redirections.flatMap(({ target }) => processTexts(target)),
  ];
  const texts = words.map(plainText);
  const first = words[0];
  const seen: ScriptCommand = {
    line,
    words: texts,
    isProgramComputed: first?.parts.some((part) => part.kind === "expansion") === true,
    assignments: assignments.map(({ name, value }) => `${name}=${value === undefined ? "" : plainText(value)}`),
    writes: redirections.filter(isWrite).map(({ target }) => plainText(target)),
    feeds: [...feeds, ...redirections.filter(isHereText).map(({ target }) => plainText(target))],
  };
  listing.commands.push(seen);
  for (const inner of innerWords(texts))
    listing.commands.push({ ...seen, words: inner, isProgramComputed: inner[0]?.startsWith("$") === true });
  const code = innerCode(texts);
  if (code !== undefined && depth < depthMax) {
    const script = parsed(code);
    if (script !== undefined)
      listing.commands.push(...listed(script, code, line, depth + 1).map((each) => ({ ...each, line })));
  }
  for (const word of words) visitNested(word, listing, depth);
  for (const { value } of assignments) if (value !== undefined) visitNested(value, listing, depth);
  for (const { target } of redirections) visitNested(target, listing, depth);
  listing.at = Math.max(listing.at, place.end);
}

function visitNested(word: Word, listing: Listing, depth: number): void {
  for (const part of word.parts) {
    if (part.kind === "expansion") for (const script of part.nested.scripts) visitScript(script, listing, depth);
  }
}

/** The tree has no places; a command is found again by its words, because all are visited in the order they are written. */
function findPlace({ words, assignments, redirections }: SimpleCommand, { text, at }: Listing) {
  const [first = "", ...others] = [
    ...assignments.map(({ name }) => name),
    ...words.map(({ source }) => source),
    ...redirections.map(({ target }) => target.source),
  ];
  const start = indexOfWord(text, first, at);
  const end = others.reduce((place, source) => {
    const next = text.indexOf(source, place);
    // A here-document stands elsewhere.
    return next === -1 ? place : next + source.length;
  }, start + first.length);
  return { start, end: others.length === 0 ? start + first.length : end };
}

/** Counts on from the command before. */
function lineAt(place: number, listing: Listing): number {
  const { text } = listing;
  for (let end = text.indexOf("\n", listing.lineAt); end !== -1 && end < place; end = text.indexOf("\n", end + 1)) {
    listing.line += 1;
    listing.lineAt = end + 1;
  }
  return listing.line;
}

function indexOfWord(text: string, sought: string, from: number): number {
  for (let place = text.indexOf(sought, from); place !== -1; place = text.indexOf(sought, place + 1)) {
    if (!/[\w./-]/.test(text[place - 1] ?? " ")) return place;
  }
  return from;
}

const wrappers = new Set([
  "sudo",
  "doas",
  "env",
  "command",
  "exec",
  "nohup",
  "time",
  "nice",
  "timeout",
  "xargs",
  "setsid",
  "stdbuf",
  "busybox",
  "builtin",
  "ionice",
]);

/** The commands that wrappers start, one inside the other. */
function innerWords(words: readonly string[]): readonly (readonly string[])[] {
  const [program = "", ...rest] = words;
  if (!wrappers.has(baseName(program))) return [];
  const start = rest.findIndex((word) => !/^-|^[A-Za-z_]\w*=|^\d+[smh]?$/.test(word));
  if (start === -1) return [];
  // The value of an option such as `sudo -u root` is not told from the program: both readings are listed.
  const readings = [rest.slice(start), ...(start > 0 ? [rest.slice(start + 1)] : [])].filter(
    ({ length }) => length > 0,
  );
  return readings.flatMap((inner) => [inner, ...innerWords(inner)]);
}

function innerCode(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words;
  if (program === "eval") return rest.join(" ");
  if (!/^(?:ba|z|da|k|a)?sh$/.test(baseName(program))) return undefined;
  const place = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  return place === -1 ? undefined : rest[place + 1];
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function plainText(word: Word): string {
  return word.parts.map((part) => (part.kind === "text" ? part.text : part.source)).join("");
}

function processTexts(word: Word): readonly string[] {
  return word.parts.flatMap((part) =>
    part.kind === "expansion" && part.isProcess ? part.nested.scripts.map(scriptText) : [],
  );
}

function textOf(command: Command): string {
  if (command.kind === "simple") return command.words.map(plainText).join(" ");
  if (command.kind !== "compound") return textOf(command.body);
  return bodiesOf(command.shape).map(scriptText).join("; ");
}

function scriptText({ lists }: Script): string {
  return lists.flatMap(({ pipelines }) => pipelines.map(({ commands }) => commands.map(textOf).join(" | "))).join("; ");
}

const writing: ReadonlySet<string> = new Set([">", ">>", ">|", "<>", "&>", "&>>"]);

function isWrite({ operator, target }: Redirection): boolean {
  return writing.has(operator) || (operator === ">&" && !/^(?:\d+|-)$/.test(target.source));
}

function isHereText({ operator }: Redirection): boolean {
  return operator === "<<" || operator === "<<<";
}
