/** A schema that nothing can fit is refused before an agent is asked for it. */
import { expect, test } from "vitest";
import { schemaFlaw } from "../src/tools/output-schema.ts";

test.each<[unknown]>([
  [{}],
  [
    {
      type: "object",
      properties: { n: { type: "integer", minimum: 1 } },
      required: ["n"],
      additionalProperties: false,
    },
  ],
  [
    {
      type: "object",
      properties: { list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } } },
    },
  ],
  // Names that every object has are names like any other.
  [{ properties: { constructor: { type: "string" } } }],
])("%j can be asked for", (schema) => {
  expect(schemaFlaw(schema)).toBeUndefined();
});

test.each<[unknown, RegExp]>([
  ["text", /an object/],
  [[], /an object/],
  [{ type: 12 }, /type must be "object"/],
  [{ type: "array", items: {} }, /put other values into a property/],
  [{ properties: { n: { type: ["string", "null"] } } }, /^n: type must be one of/],
  [{ properties: { list: { items: { type: "text" } } } }, /^list\[\]: type/],
  [{ properties: [] }, /properties/],
  [{ required: "n" }, /required/],
  [{ properties: { n: { enum: "a" } } }, /^n: enum/],
  [{ anyOf: [{ type: "nothing" }] }, /type must be one of/],
  [{ properties: { n: { $ref: "http://127.0.0.1/x" } } }, /\$ref is not followed/],
  [Array.from({ length: 30 }).reduce<object>((inner) => ({ properties: { a: inner } }), {}), /too deeply/],
])("%j cannot", (schema, flaw) => {
  expect(schemaFlaw(schema)).toMatch(flaw);
});
