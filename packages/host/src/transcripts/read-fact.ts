/** Reads one fact of an imported record: all of its known fields, each of its shape, or nothing. */
import {
  checkSchema,
  describeProblems,
  type Fact,
  type FactType,
  type JsonSchema,
  type SchemaProblem,
} from "@kedge/protocol";
import { factShapes, type Optional } from "./fact-shapes.ts";

const isFactType = (type: string): type is FactType => Object.hasOwn(factShapes, type);

export type ReadFact =
  | { readonly kind: "fact"; readonly fact: Fact }
  /** A newer kedge wrote it. */
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly report: string };

/** Takes the known fields out of a record, when all of them are what their type says. */
export function readFact(fields: { readonly [field: string]: unknown }): ReadFact {
  const { type } = fields;
  if (typeof type !== "string" || !isFactType(type)) return { kind: "unknown" };
  const problems: SchemaProblem[] = [];
  const known: Record<string, unknown> = { type };
  const shape: { readonly [field: string]: JsonSchema | Optional } = factShapes[type];
  for (const [field, expected] of Object.entries(shape)) {
    const value = fields[field];
    const isOptional = "optional" in expected;
    if (value === undefined && isOptional) continue;
    const schema = isOptional ? expected.optional : expected;
    if (value === undefined) problems.push({ path: field, expected: schema.type ?? "a value", received: "nothing" });
    else {
      const found = checkSchema(schema, value);
      problems.push(...found.map((problem) => ({ ...problem, path: [field, problem.path].filter(Boolean).join(".") })));
    }
    known[field] = value;
  }
  if (problems.length > 0) return { kind: "invalid", report: describeProblems(problems) };
  // Every field of the type was found to have its shape, and no other field was taken.
  return { kind: "fact", fact: known as Fact };
}
