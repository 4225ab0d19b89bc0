/** Reads what a shell expands inside of words: `$x`, `${…}`, `$(…)`, backticks, arithmetic, double quotes, `<(…)`. */
import { readAnsiQuoted } from "./read-ansi-quoted.ts";
import {
  expect,
  fail,
  isAtEnd,
  isDigit,
  moveTo,
  nest,
  passLineEnd,
  peek,
  peekDigits,
  peekName,
  type Reader,
  skipBlanks,
  startsWith,
  take,
} from "./reader.ts";
import type { Nested, Script, WordPart } from "./script.ts";
import {
  absorb,
  addPart,
  addText,
  createNested,
  type GrowingNested,
  nothingNested,
  type PartList,
} from "./word-parts.ts";

type Quoting = { readonly isQuoted: boolean };

const specialParameters = "@*#?-$!";

/** The reader stands at the dollar sign. */
export function readDollar(reader: Reader, quoting: Quoting): WordPart {
  const start = reader.at;
  const next = peek(reader, 1);
  const expansion = (nested: Nested, variable?: string): WordPart => ({
    kind: "expansion",
    source: reader.text.slice(start, reader.at),
    isQuoted: quoting.isQuoted,
    variable,
    isProcess: false,
    nested,
  });
  reader.at += 1;
  if (next === "(") return expansion(startsWith(reader, "((") ? readArithmetic(reader) : readSubstitution(reader));
  if (next === "{") {
    const { nested, variable } = nest(reader, () => readParameter(reader, quoting));
    return expansion(nested, variable);
  }
  if (next === "[") return expansion(readBracketArithmetic(reader));
  if (next === "'" && !quoting.isQuoted) {
    reader.at += 1;
    const { text } = readAnsiQuoted(reader);
    return text === undefined ? expansion(nothingNested) : { kind: "text", text, isQuoted: true };
  }
  const name = peekName(reader);
  if (name !== "") {
    reader.at += name.length;
    return expansion(nothingNested, name);
  }
  if (isDigit(next) || (next !== "" && specialParameters.includes(next))) {
    reader.at += 1;
    return expansion(nothingNested, next);
  }
  if (next === "\\" && peek(reader, 1) === "\n") fail(reader, "A line continuation follows a dollar sign.");
  return { kind: "text", text: "$", isQuoted: quoting.isQuoted };
}

/** The reader stands behind the opening quote. */
export function readDoubleQuoted(reader: Reader): PartList {
  const parts: PartList = [];
  addText(parts, "", { isQuoted: true });
  readQuotedText(reader, parts, { closer: '"', escaped: '$`"\\' });
  return parts;
}

/** The text of a here-document, whose quotes are plain characters. */
export function readHereText(reader: Reader): PartList {
  const parts: PartList = [];
  readQuotedText(reader, parts, { closer: "", escaped: "$`\\" });
  return parts;
}

function readQuotedText(reader: Reader, parts: PartList, form: { readonly closer: string; readonly escaped: string }) {
  const quoted = { isQuoted: true };
  for (;;) {
    const character = peek(reader);
    if (character === form.closer) {
      reader.at += form.closer.length;
      return;
    }
    if (character === "") return fail(reader, "A quote is not closed.");
    if (character === "$") addPart(parts, readDollar(reader, quoted));
    else if (character === "`") addPart(parts, readBackticks(reader, { isQuoted: form.closer !== "" }));
    else if (character === "\\") {
      const next = peek(reader, 1);
      reader.at += 2;
      if (next === "\n") passLineEnd(reader);
      else if (next !== "" && form.escaped.includes(next)) addText(parts, next, quoted);
      else addText(parts, character + next, quoted);
    } else {
      const start = reader.at;
      while (!isQuotedSpecial(peek(reader), form.closer)) {
        if (peek(reader) === "\n") passLineEnd(reader);
        reader.at += 1;
      }
      addText(parts, reader.text.slice(start, reader.at), quoted);
    }
  }
}

function isQuotedSpecial(character: string, closer: string): boolean {
  return character === "" || character === "$" || character === "`" || character === "\\" || character === closer;
}

/** The reader stands at `(`: `$(…)`, `<(…)`, `>(…)`. */
function readSubstitution(reader: Reader): Nested {
  reader.at += 1;
  const { pending, isLineEndUnclear } = reader;
  reader.isLineEndUnclear = isLineEndUnclear || pending.length > 0;
  reader.pending = [];
  reader.substitutions += 1;
  skipBlanks(reader);
  reader.firstCommandAt = reader.at;
  const script = nest(reader, () => reader.grammar.readList(reader));
  skipBlanks(reader);
  if (reader.pending.length > 0) fail(reader, "A here-document has no text.");
  expect(reader, ")");
  reader.substitutions -= 1;
  reader.pending = pending;
  reader.isLineEndUnclear = isLineEndUnclear;
  return { ...nothingNested, scripts: [script] };
}

/** The reader stands at `<(` or `>(`. */
export function readProcess(reader: Reader): WordPart {
  const start = reader.at;
  reader.at += 1;
  if (startsWith(reader, "((")) fail(reader, "Parentheses are nested in an unclear way.");
  const nested = readSubstitution(reader);
  const source = reader.text.slice(start, reader.at);
  return { kind: "expansion", source, isQuoted: false, variable: undefined, isProcess: true, nested };
}

/** The reader stands at the first backtick. */
export function readBackticks(reader: Reader, quoting: Quoting): WordPart {
  const start = reader.at;
  reader.at += 1;
  let code = "";
  while (peek(reader) !== "`") {
    const character = peek(reader);
    const next = peek(reader, 1);
    if (character === "") {
      fail(reader, "A backtick is not closed.");
      break;
    }
    if (character === "\n") passLineEnd(reader);
    const isEscape =
      character === "\\" && (next === "$" || next === "`" || next === "\\" || (next === '"' && quoting.isQuoted));
    code += isEscape ? next : character;
    reader.at += isEscape ? 2 : 1;
  }
  reader.at += 1;
  const script: Script = reader.grammar.parseInner(code, reader);
  return {
    kind: "expansion",
    source: reader.text.slice(start, reader.at),
    isQuoted: quoting.isQuoted,
    variable: undefined,
    isProcess: false,
    nested: { ...nothingNested, scripts: [script] },
  };
}

/** The reader stands at `((`. Text that is no arithmetic but a subshell in a substitution is not accepted. */
export function readArithmetic(reader: Reader): Nested {
  reader.at += 2;
  const nested = createNested();
  nest(reader, () => readArithmeticUntil(reader, nested, ")"));
  expect(reader, "))");
  return nested;
}

function readBracketArithmetic(reader: Reader): Nested {
  reader.at += 1;
  const nested = createNested();
  nest(reader, () => readArithmeticUntil(reader, nested, "]"));
  expect(reader, "]");
  return nested;
}

/** The reader stands at `[`, behind a name. */
export function readSubscript(reader: Reader, nested: GrowingNested): void {
  reader.at += 1;
  nest(reader, () => readArithmeticUntil(reader, nested, "]"));
  expect(reader, "]");
}

/** Stops at the closer that has no opener. */
function readArithmeticUntil(reader: Reader, nested: GrowingNested, closer: ")" | "]"): void {
  const opener = closer === ")" ? "(" : "[";
  const start = reader.at;
  for (let open = 0; ; ) {
    const character = peek(reader);
    if (character === "" || (character === closer && open === 0)) break;
    if (character === "$" || character === "`" || character === '"' || character === "'") {
      readInsideOf(reader, nested, { isQuoted: true, isPattern: false });
      continue;
    }
    if ("<>".includes(character) && peek(reader, 1) === "(" && closer === "]")
      fail(reader, "A subscript cannot be determined.");
    if (character === opener) open += 1;
    else if (character === closer) open -= 1;
    else if (character === "\\") reader.at += 1;
    else if (character === "\n") passLineEnd(reader);
    reader.at += 1;
  }
  nested.arithmetic.push(reader.text.slice(start, reader.at));
}

type InsideForm = { readonly isQuoted: boolean; readonly isPattern: boolean };

/** One quote or expansion inside of `${…}` or arithmetic. */
function readInsideOf(reader: Reader, nested: GrowingNested, form: InsideForm): void {
  const character = peek(reader);
  if (character === '"') {
    reader.at += 1;
    absorb(nested, readDoubleQuoted(reader));
  } else if (character === "'" || (startsWith(reader, "$'") && form.isPattern)) readSingleQuoted(reader, form);
  else if (character === "`") absorb(nested, [readBackticks(reader, form)]);
  else absorb(nested, [readDollar(reader, form)]);
}

/** Inside of double quotes it depends on the operator whether they quote; then only what is the same either way is read. */
function readSingleQuoted(reader: Reader, form: InsideForm): undefined {
  if (peek(reader) === "$") reader.at += 1;
  const end = reader.text.indexOf("'", reader.at + 1);
  const content = reader.text.slice(reader.at + 1, end);
  if (end === -1) return fail(reader, "A quote is not closed.");
  if (form.isQuoted && /["$`}\])]|\\['\\]/.test(content)) return fail(reader, "The nesting of quotes is unclear.");
  if (content.includes("\n")) passLineEnd(reader);
  moveTo(reader, end + 1);
}

type Parameter = { readonly nested: Nested; readonly variable?: string };

/** The reader stands at `{`. */
function readParameter(reader: Reader, quoting: Quoting): Parameter {
  reader.at += 1;
  const nested = createNested();
  const isLength = peek(reader) === "#" && !"}-=?+:%/^,".includes(peek(reader, 1) || "}");
  if (isLength) reader.at += 1;
  const isIndirect = peek(reader) === "!" && !"}-=?+:%/#^,@*".includes(peek(reader, 1) || "}");
  if (isIndirect) reader.at += 1;
  const name = readParameterName(reader);
  const isSubscripted = peek(reader) === "[";
  if (isSubscripted) readSubscript(reader, nested);
  if (take(reader, "}")) {
    const isPlain = !isLength && !isIndirect && !isSubscripted;
    return { nested, ...(isPlain ? { variable: name } : {}) };
  }
  if (isLength) fail(reader, "An expansion with `${` is not understood.");
  if (isIndirect && (take(reader, "*}") || take(reader, "@}"))) return { nested };
  readOperator(reader, { nested, name, quoting });
  return { nested };
}

function readParameterName(reader: Reader): string {
  const name = peekName(reader) || peekDigits(reader);
  if (name !== "") {
    reader.at += name.length;
    return name;
  }
  const special = peek(reader);
  if (special === "" || !specialParameters.includes(special)) fail(reader, "An expansion with `${` is not understood.");
  reader.at += 1;
  return special;
}

type OperatorPlace = { readonly nested: GrowingNested; readonly name: string; readonly quoting: Quoting };

function readOperator(reader: Reader, { nested, name, quoting }: OperatorPlace): undefined {
  const hasColon = take(reader, ":");
  const operator = peek(reader);
  if (!hasColon && operator === "@") {
    const letter = peek(reader, 1);
    reader.at += 2;
    if (letter === "P")
      nested.dangers.push("The value of a variable is expanded like a prompt, which can run commands.");
    if (!/^[UuLQEPAKak]$/.test(letter)) fail(reader, "An expansion with `${` is not understood.");
    return expect(reader, "}");
  }
  const isValue = "-=?+".includes(operator) && operator !== "";
  const isPattern = !hasColon && "#%/^,".includes(operator) && operator !== "";
  if (!isValue && !isPattern && !hasColon) return fail(reader, "An expansion with `${` is not understood.");
  if (isValue && operator === "=") nested.assigned.push(name);
  if (isValue || isPattern) reader.at += 1;
  const start = reader.at;
  readUntilBrace(reader, nested, { isQuoted: quoting.isQuoted, isPattern });
  if (hasColon && !isValue) nested.arithmetic.push(reader.text.slice(start, reader.at - 1));
}

function readUntilBrace(reader: Reader, nested: GrowingNested, form: InsideForm): void {
  while (!isAtEnd(reader)) {
    const character = peek(reader);
    if (character === "}") break;
    if (character === "$" || character === "`" || character === '"' || character === "'") {
      if (startsWith(reader, "$'") && form.isQuoted && !form.isPattern)
        fail(reader, "The nesting of quotes is unclear.");
      readInsideOf(reader, nested, form);
    } else if ((character === "<" || character === ">") && peek(reader, 1) === "(" && !form.isQuoted) {
      const part = readProcess(reader);
      if (part.kind === "expansion" && part.source.includes("}")) fail(reader, "Braces are nested in an unclear way.");
      absorb(nested, [part]);
    } else {
      if (character === "\n") passLineEnd(reader);
      reader.at += character === "\\" ? 2 : 1;
    }
  }
  expect(reader, "}");
}
