/** Checks a row of a table field by field. A row that says something nobody reads is a defect, so it is refused. */
import { optionEffects } from "./option-set.ts";
import { operandUses, type ProgramRow } from "./program-row.ts";

type Check = (value: unknown) => boolean;
type Fields = { readonly [field: string]: Check };

const isText: Check = (value) => typeof value === "string" && value !== "";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check);
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const hasFields =
  (fields: Fields): Check =>
  (value) =>
    isRecord(value) && findWrongField(value, fields) === undefined;
const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** `-o/--output:`, `-i?/--in-place?`: spellings with a dash or a plus, each with the mark of its value. */
const isSpec: Check = (value) =>
  typeof value === "string" && value.split("/").every((spelling) => /^[-+](?:\?|[^\s/:?]+)[:?]?$/.test(spelling));
const isSpecList: Check = (value) => typeof value === "string" && value.split(" ").every(isSpec);
const isSpecial: Check = (value) =>
  Array.isArray(value) &&
  (value.length === 2 || (value.length === 3 && isText(value[2]))) &&
  isSpec(value[0]) &&
  isOneOf(...optionEffects)(value[1]);
/** A text that is no regular expression throws here, which refuses the row as well. */
const isPattern: Check = (value) => isText(value) && new RegExp(String(value)).source !== "";

const table: Fields = {
  plain: isSpecList,
  special: isListOf(isSpecial),
  oneDash: isFlag,
  stopsAtOperand: isFlag,
  takesNumbers: isFlag,
  anyOption: isFlag,
  exactOptions: isFlag,
};

const shapes: Readonly<Record<ProgramRow["shape"], Fields>> = {
  ordinary: {
    ...table,
    operands: isOneOf(...operandUses),
    looks: isFlag,
    outward: isText,
    suggestedWords: isCount,
    code: isText,
  },
  wrapper: {
    ...table,
    skips: isCount,
    skipsOnly: isPattern,
    isTransparent: isFlag,
    joins: isFlag,
    assigns: isFlag,
    onlyLooksWith: isListOf(isSpec),
    acts: isListOf(isSpec),
    opensShell: isFlag,
  },
  runner: { ...table, code: isText },
  tool: {
    globals: hasFields(table),
    options: hasFields(table),
    groups: isText,
    looks: isText,
    outward: isText,
    outwardWhy: isText,
    concerns: isText,
    aliases: isRecordOf(isText),
    runs: isRecordOf(hasFields({ options: hasFields(table), skips: isCount })),
    suggestedWords: isRecordOf(isCount),
    code: isText,
  },
  interpreter: {
    ...table,
    codeOptions: isListOf(isSpec),
    prints: isListOf(isSpec),
    loadsWith: isPattern,
    ignoresInput: isFlag,
    takesModule: isFlag,
    opens: isOneOf("write"),
    code: isText,
  },
  code: { ...table, looks: isFlag, code: isText },
  asks: { why: isText },
  starter: {},
};
const needed: { readonly [shape: string]: string } = { runner: "code", code: "code", asks: "why", starter: "starts" };

const started = hasFields({
  after: isPattern,
  scripts: isListOf(isSpec),
  from: isCount,
  valued: isText,
  listsScripts: isFlag,
  verb: isText,
});

/** Throws where the row is not exactly of its shape; the analysis then asks a person. */
export function checkRow(name: string, row: unknown): ProgramRow {
  if (!isRecord(row)) throw new Error(`the row of ${name} is not an object`);
  const shape = row["shape"] ?? "ordinary";
  if (typeof shape !== "string" || !Object.hasOwn(shapes, shape)) throw new Error(`the row of ${name} has no shape`);
  const fields: Fields = {
    shape: isText,
    starts: started,
    looksAt: isOneOf("machine"),
    readsProject: isFlag,
    ...shapes[shape as ProgramRow["shape"]],
  };
  const wrong = findWrongField(row, fields);
  if (wrong !== undefined) throw new Error(`the row of ${name} has a wrong field: ${wrong}`);
  const missing = needed[shape];
  if (missing !== undefined && row[missing] === undefined) throw new Error(`the row of ${name} has no ${missing}`);
  // Every field was checked above.
  return { ...row, shape } as ProgramRow;
}

function findWrongField(row: Readonly<Record<string, unknown>>, fields: Fields): string | undefined {
  return Object.keys(row).find((field) => !Object.hasOwn(fields, field) || !fields[field]?.(row[field]));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
