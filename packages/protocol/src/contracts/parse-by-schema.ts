/** The input of a tool by its schema: the value itself where it fits, a report for the model where it does not. */
import { checkSchema, describeProblems, type JsonSchema } from "../json/json-schema.ts";
import type { Parsed } from "./tool.ts";

/** `Input` stands beside the schema, and says the same. */
export function parseBySchema<Input>(schema: JsonSchema, input: unknown): Parsed<Input> {
  const problems = checkSchema(schema, input);
  if (problems.length > 0) return { ok: false, report: describeProblems(problems) };
  // The value has just passed the schema of its type.
  return { ok: true, input: input as Input };
}

/** Several models send null for a parameter they leave out. */
export function withoutNulls(input: { readonly [name: string]: unknown }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
