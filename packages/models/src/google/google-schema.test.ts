/** Proves that tool schemas lose what Google rejects and nothing else. */
import type { JsonSchema } from "@kedge/protocol";
import { expect, test } from "vitest";
import { googleParameters, placeholderName } from "./google-schema.ts";

/** What Google makes of one property. */
function property(schema: JsonSchema): unknown {
  return googleParameters({ type: "object", properties: { it: schema } })?.properties?.["it"];
}

const placeholder = { [placeholderName]: { type: "boolean", description: "Leave it out." } };

test.each<[string, JsonSchema, unknown]>([
  [
    "unknown keywords are left out, known ones stay",
    { type: "string", description: "Where.", minLength: 1, maxLength: 9 },
    { type: "string", description: "Where." },
  ],
  ["limits of numbers stay", { type: "integer", minimum: 1, maximum: 2 }, { type: "integer", minimum: 1, maximum: 2 }],
  ["choices of texts stay", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
  [
    "choices of numbers become texts",
    { type: "integer", description: "How.", enum: [1, 2], minimum: 1 },
    { type: "string", description: "How.", enum: ["1", "2"] },
  ],
  ["one allowed text is a choice of one", { const: "x" }, { type: "string", enum: ["x"] }],
  ["one allowed number is a choice of one", { type: "number", const: 1.5 }, { type: "string", enum: ["1.5"] }],
  ["choices that no text can name are left to the tool", { type: "boolean", enum: [true] }, { type: "boolean" }],
  [
    "alternatives stay",
    { anyOf: [{ type: "null" }, { type: "string", const: "y" }] },
    { anyOf: [{ type: "null" }, { type: "string", enum: ["y"] }] },
  ],
  [
    "an object without properties gets one",
    { type: "object", description: "Any.", additionalProperties: { type: "string" } },
    { type: "object", description: "Any.", properties: placeholder },
  ],
  [
    "so does one in a list",
    { type: "array", minItems: 1, maxItems: 3, items: { type: "object", properties: {}, required: ["a"] } },
    { type: "array", minItems: 1, maxItems: 3, items: { type: "object", properties: placeholder } },
  ],
  ["a list that does not say of what is one of texts", { type: "array" }, { type: "array", items: { type: "string" } }],
  [
    "also when it only describes them",
    { type: "array", items: { description: "Each." } },
    { type: "array", items: { type: "string", description: "Each." } },
  ],
])("%s", (_rule, schema, expected) => {
  expect(property(schema)).toEqual(expected);
});

test("only described properties can be required, and closed objects are not known", () => {
  expect(
    googleParameters({
      type: "object",
      additionalProperties: false,
      properties: { path: { type: "string" } },
      required: ["path", "missing"],
    }),
  ).toEqual({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });
});

test("a tool without inputs has no schema", () => {
  expect(googleParameters({ type: "object" })).toBeUndefined();
  expect(googleParameters({ type: "object", properties: {}, required: [] })).toBeUndefined();
});
