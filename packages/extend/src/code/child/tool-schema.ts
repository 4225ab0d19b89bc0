/** The parameters of a tool as JSON Schema, whatever they were written with, and the check that its author meant. */
import type { ZodLibrary } from "./stand-ins.ts";

type Fields = { readonly [name: string]: unknown };

export type ToolSchema = {
  readonly parameters: Fields;
  /** Throws with a report; gives what defaults and conversions made of the arguments. */
  readonly check: (args: Fields) => Fields;
};

const anything: ToolSchema = { parameters: { type: "object", properties: {} }, check: (args) => args };

/** Throws a sentence part where nobody can tell what the schema means. */
export function readToolSchema(given: unknown, loadZod: () => ZodLibrary): ToolSchema {
  if (given === undefined || given === null) return anything;
  if (!isFields(given)) throw new Error("its parameters are not a schema");
  if (isZod(given)) return zodSchema(given, loadZod());
  const values = Object.values(given);
  if (values.length > 0 && values.every(isZod)) return zodSchema(loadZod().object(given as never), loadZod());
  if (values.some(isOldZod) || isOldZod(given)) {
    throw new Error('its parameters were made with zod 3; import zod 4, or `tool.schema` of "@opencode-ai/plugin"');
  }
  if (values.length === 0) return anything;
  if (given["type"] !== undefined || given["properties"] !== undefined) {
    return { parameters: plain({ type: "object", ...given }), check: (args) => args };
  }
  // A list of properties, each with a schema.
  if (values.every((value) => isFields(value) && typeof value["type"] === "string")) {
    return { parameters: plain({ type: "object", properties: given }), check: (args) => args };
  }
  throw new Error("its parameters are neither JSON Schema nor zod");
}

function zodSchema(schema: unknown, zod: ZodLibrary): ToolSchema {
  // Told by its mark above.
  const known = schema as Parameters<ZodLibrary["toJSONSchema"]>[0] & {
    safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown; readonly error?: Error };
  };
  const { $schema: _, ...parameters } = plain(zod.toJSONSchema(known, { io: "input", unrepresentable: "any" }));
  return {
    parameters,
    check(args) {
      const { success, data, error } = known.safeParse(args);
      if (!success) throw new Error(`Invalid arguments: ${error?.message ?? "they are not valid"}`);
      return isFields(data) ? data : args;
    },
  };
}

function plain(value: unknown): Fields {
  return JSON.parse(JSON.stringify(value)) as Fields;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isZod(value: unknown): boolean {
  return isFields(value) && "_zod" in value;
}

function isOldZod(value: unknown): boolean {
  return isFields(value) && "_def" in value && !("_zod" in value);
}
