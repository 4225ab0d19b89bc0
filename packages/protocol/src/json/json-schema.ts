/** The part of JSON Schema that tool inputs and structured answers use, and a validator that reports per field. */
import { flawOf, isJsonObject, type Json } from "./json.ts";

export type JsonSchema = {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  readonly title?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: Json;
};

/** One thing wrong with a value: where, and what was expected and received there. */
export type SchemaProblem = { readonly path: string; readonly expected: string; readonly received: string };

const problemsMax = 20;

/**
 * Returns no problems when the value fits. Unknown keywords are ignored, unknown properties follow `additionalProperties`.
 * Patterns count only in schemas of our own: somebody else's may take for ever on the wrong text.
 */
export function checkSchema(
  schema: JsonSchema,
  value: unknown,
  { hasOwnPatterns = false }: { readonly hasOwnPatterns?: boolean } = {},
): readonly SchemaProblem[] {
  const found: Found = { problems: [], hasOwnPatterns };
  check(schema, value, "", found);
  return found.problems.slice(0, problemsMax);
}

/** A report for whoever wrote the value: one line per field. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems
    .map((problem) => `${problem.path || "input"}: expected ${problem.expected}, received ${problem.received}`)
    .join("\n");
}

type Found = { readonly problems: SchemaProblem[]; readonly hasOwnPatterns: boolean };

function check(schema: JsonSchema, value: unknown, path: string, found: Found): void {
  const { hasOwnPatterns } = found;
  const expect = (expected: string) => found.problems.push({ path, expected, received: describe(value) });
  if (schema.const !== undefined && value !== schema.const) {
    expect(JSON.stringify(schema.const));
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((member) => member === value)) {
    expect(`one of ${schema.enum.map((member) => JSON.stringify(member)).join(", ")}`);
    return;
  }
  if (
    schema.anyOf !== undefined &&
    !schema.anyOf.some((branch) => checkSchema(branch, value, { hasOwnPatterns }).length === 0)
  ) {
    expect("a value that matches one of the allowed forms");
    return;
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) {
    expect(schema.type);
    return;
  }
  if (typeof value === "string") {
    if (schema.minLength !== undefined && value.length < schema.minLength)
      expect(`at least ${schema.minLength} characters`);
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      expect(`at most ${schema.maxLength} characters`);
    if (hasOwnPatterns && schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      expect(`text that matches ${schema.pattern}`);
  } else if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) expect(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) expect(`at most ${schema.maximum}`);
  } else if (Array.isArray(value)) {
    checkArray(schema, value, path, found);
  } else if (isJsonObject(value)) {
    checkObject(schema, value, path, found);
  }
}

function checkArray(schema: JsonSchema, value: readonly unknown[], path: string, found: Found): void {
  const { problems } = found;
  const expect = (expected: string) => problems.push({ path, expected, received: `${value.length} items` });
  if (schema.minItems !== undefined && value.length < schema.minItems) expect(`at least ${schema.minItems} items`);
  if (schema.maxItems !== undefined && value.length > schema.maxItems) expect(`at most ${schema.maxItems} items`);
  if (schema.items === undefined) return;
  for (const [index, item] of value.entries()) {
    if (problems.length >= problemsMax) return;
    check(schema.items, item, `${path}[${index}]`, found);
  }
}

function checkObject(schema: JsonSchema, value: { readonly [key: string]: unknown }, path: string, found: Found): void {
  const { problems } = found;
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) {
      const wanted = schema.properties?.[name]?.type ?? "a value";
      problems.push({ path: at(name), expected: `${wanted} (required)`, received: "nothing" });
    }
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || problems.length >= problemsMax) continue;
    // A name such as `constructor` is no property of the schema because every object has it.
    const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (known !== undefined) check(known, member, at(name), found);
    else if (schema.additionalProperties === false)
      problems.push({ path: at(name), expected: "no such property", received: describe(member) });
    else if (typeof schema.additionalProperties === "object")
      check(schema.additionalProperties, member, at(name), found);
  }
}

function hasType(type: NonNullable<JsonSchema["type"]>, value: unknown): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "number":
      return Number.isFinite(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

const shownCharactersMax = 60;

function describe(value: unknown): string {
  const text = shownText(value);
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return `${kind} ${text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text}`;
}

/** Never writes more than is shown of a long text, nor what is nested too deeply to be written. */
function shownText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, shownCharactersMax + 1));
  if (typeof value === "number") return String(value);
  return flawOf(value) === "depth" ? "nested too deeply" : (JSON.stringify(value) ?? "nothing");
}
