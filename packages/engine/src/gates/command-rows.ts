/** Matches commands with rows of data tables: by program, by the words that follow it, by options and by operands. */
import { textBeside } from "@kedge/protocol/text-file";
import { matchGlob } from "../permission/glob.ts";

export type CommandRow = {
  /** Base names, separated by spaces. */
  readonly programs: string;
  /** Alternatives separated by `|`; each is a sequence of globs for the first words that are no options. */
  readonly words?: string;
  /** One of these must be there. */
  readonly options?: string;
  /** With one of these the row does not match. */
  readonly unless?: string;
  /** One word that is no option must match this expression. */
  readonly operand?: string;
  /** The whole text must match this expression, whatever its case. */
  readonly text?: string;
};

/** A command as words: what is run, its operands, its options and their values. */
export type CommandShape = {
  readonly program: string;
  readonly operands: readonly string[];
  readonly options: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
};

type PreparedRow<Row> = {
  readonly row: Row;
  readonly words: readonly (readonly string[])[];
  readonly options: readonly string[];
  readonly unless: readonly string[];
  readonly operand: RegExp | undefined;
  readonly text: RegExp | undefined;
};

export type RowsByProgram<Row> = ReadonlyMap<string, readonly PreparedRow<Row>[]>;

/** Options of programs that stand before their value; the value is no operand. Checked by the test of the tables. */
const valueOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(
    JSON.parse(textBeside(import.meta.url, "./value-options.json")) as { readonly [programs: string]: string },
  ).flatMap(([programs, options]) => split(programs).map((program) => [program, new Set(split(options))] as const)),
);

/** Their options are words after a single dash, never joined letters. */
const longWithOneDash: ReadonlySet<string> = new Set(["terraform", "tofu", "terragrunt", "cdktf", "find"]);

const noOptions: ReadonlySet<string> = new Set();

export function prepareRows<Row extends CommandRow>(rows: readonly Row[]): RowsByProgram<Row> {
  const byProgram = new Map<string, PreparedRow<Row>[]>();
  for (const row of rows) {
    const prepared: PreparedRow<Row> = {
      row,
      words: row.words === undefined ? [] : row.words.split("|").map((words) => split(words.trim())),
      options: split(row.options ?? ""),
      unless: split(row.unless ?? ""),
      operand: row.operand === undefined ? undefined : new RegExp(row.operand),
      text: row.text === undefined ? undefined : new RegExp(row.text, "i"),
    };
    for (const program of split(row.programs)) {
      const known = byProgram.get(program);
      if (known === undefined) byProgram.set(program, [prepared]);
      else known.push(prepared);
    }
  }
  return byProgram;
}

/** The rows that one spelling of a command matches. `whole` is all of the text it stands in, with what is piped to it. */
export function rowsFor<Row>(rows: RowsByProgram<Row>, text: string, whole: string): readonly Row[] {
  const candidates = rows.get(programOf(text));
  // Nearly every command ends here.
  if (candidates === undefined) return [];
  const shape = shapeOf(text);
  return candidates.filter((candidate) => matches(candidate, shape, `${text}\n${whole}`)).map(({ row }) => row);
}

export function shapeOf(text: string): CommandShape {
  const [first = "", ...words] = split(text);
  const program = programOf(first);
  const takesValue = valueOptions.get(program) ?? noOptions;
  const operands: string[] = [];
  const options = new Set<string>();
  const values = new Map<string, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      options.add(word);
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    options.add(name);
    // Letters may be joined: `-rf` is `-r -f`.
    if (!longWithOneDash.has(program) && /^-[A-Za-z]{2,}$/.test(name))
      for (const letter of name.slice(1)) options.add(`-${letter}`);
    if (equals >= 0) values.set(name, word.slice(equals + 1));
    else if (takesValue.has(name)) {
      index += 1;
      values.set(name, words[index] ?? "");
    }
  }
  return { program, operands, options, values };
}

/** `--dry-run=none` is no dry run. */
const offValues: ReadonlySet<string> = new Set(["none", "false", "0", "off", "no"]);

function matches(row: PreparedRow<unknown>, shape: CommandShape, texts: string): boolean {
  const { operands, options } = shape;
  if (row.words.length > 0 && !row.words.some((words) => startsWith(operands, words))) return false;
  if (row.options.length > 0 && !row.options.some((option) => options.has(option))) return false;
  if (row.unless.some((option) => options.has(option) && !offValues.has(shape.values.get(option) ?? ""))) return false;
  if (row.operand !== undefined && !operands.some((operand) => row.operand?.test(operand))) return false;
  return row.text === undefined || row.text.test(texts);
}

function startsWith(operands: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => {
    const operand = operands[index];
    return operand !== undefined && matchGlob(word, operand);
  });
}

function programOf(text: string): string {
  const end = text.indexOf(" ");
  const path = end < 0 ? text : text.slice(0, end);
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

function split(words: string): readonly string[] {
  return words.split(" ").filter((word) => word !== "");
}
