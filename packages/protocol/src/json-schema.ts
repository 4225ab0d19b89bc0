/** The part of JSON Schema that tool inputs and structured answers use, and a validator that reports per field. */
import { isJsonObject } from "./json.ts";

export type JsonSchema = {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
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
  readonly minItems?: number;
  readonly maxItems?: number;
};

/** One thing wrong with a value: where, and what was expected and received there. */
export type SchemaProblem = { readonly path: string; readonly expected: string; readonly received: string };

const problemsMax = 20;

/** Returns no problems when the value fits. Unknown keywords are ignored, unknown properties follow `additionalProperties`. */
export function checkSchema(schema: JsonSchema, value: unknown): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  check(schema, value, "", problems);
  return problems.slice(0, problemsMax);
}

/** A report for whoever wrote the value: one line per field. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems
    .map((problem) => `${problem.path || "input"}: expected ${problem.expected}, received ${problem.received}`)
    .join("\n");
}

function check(schema: JsonSchema, value: unknown, path: string, problems: SchemaProblem[]): void {
  const expect = (expected: string) => problems.push({ path, expected, received: describe(value) });
  if (schema.const !== undefined && value !== schema.const) expect(JSON.stringify(schema.const));
  if (schema.enum !== undefined && !schema.enum.some((member) => member === value)) {
    expect(`one of ${schema.enum.map((member) => JSON.stringify(member)).join(", ")}`);
    return;
  }
  if (schema.anyOf !== undefined && !schema.anyOf.some((branch) => checkSchema(branch, value).length === 0)) {
    expect("a value that fits one of the allowed forms");
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
  } else if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) expect(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) expect(`at most ${schema.maximum}`);
  } else if (Array.isArray(value)) {
    checkArray(schema, value, path, problems);
  } else if (isJsonObject(value)) {
    checkObject(schema, value, path, problems);
  }
}

function checkArray(schema: JsonSchema, value: readonly unknown[], path: string, problems: SchemaProblem[]): void {
  const expect = (expected: string) => problems.push({ path, expected, received: `${value.length} items` });
  if (schema.minItems !== undefined && value.length < schema.minItems) expect(`at least ${schema.minItems} items`);
  if (schema.maxItems !== undefined && value.length > schema.maxItems) expect(`at most ${schema.maxItems} items`);
  if (schema.items === undefined) return;
  for (const [index, item] of value.entries()) {
    if (problems.length >= problemsMax) return;
    check(schema.items, item, `${path}[${index}]`, problems);
  }
}

function checkObject(
  schema: JsonSchema,
  value: { readonly [key: string]: unknown },
  path: string,
  problems: SchemaProblem[],
): void {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) {
      const wanted = schema.properties?.[name]?.type ?? "a value";
      problems.push({ path: at(name), expected: `${wanted} (required)`, received: "nothing" });
    }
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || problems.length >= problemsMax) continue;
    const known = schema.properties?.[name];
    if (known !== undefined) check(known, member, at(name), problems);
    else if (schema.additionalProperties === false)
      problems.push({ path: at(name), expected: "no such property", received: describe(member) });
    else if (typeof schema.additionalProperties === "object")
      check(schema.additionalProperties, member, at(name), problems);
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
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
  }
}

const shownCharactersMax = 60;

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return `${kind} ${text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text}`;
}
