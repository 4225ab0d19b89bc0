import { expect, test } from "vitest";
import { checkSchema, describeProblems, type JsonSchema } from "./json-schema.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    kind: { enum: ["file", "folder"] },
    sizes: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: 3 },
    owner: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["name"],
  additionalProperties: false,
};

test("a value that fits has no problems", () => {
  expect(checkSchema(schema, { name: "ab", kind: "file", sizes: [1, 2], owner: null })).toEqual([]);
});

test.each([
  [{}, "name: expected string (required), received nothing"],
  [{ name: 5 }, "name: expected string, received number 5"],
  [{ name: "a" }, 'name: expected at least 2 characters, received string "a"'],
  [{ name: "ab", kind: "link" }, 'kind: expected one of "file", "folder", received string "link"'],
  [{ name: "ab", sizes: [1, -1] }, "sizes[1]: expected at least 0, received number -1"],
  [{ name: "ab", sizes: [1, 1.5] }, "sizes[1]: expected integer, received number 1.5"],
  [{ name: "ab", sizes: [1, 2, 3, 4] }, "sizes: expected at most 3 items, received 4 items"],
  [{ name: "ab", owner: 1 }, "owner: expected a value that matches one of the allowed forms, received number 1"],
  [{ name: "ab", other: 1 }, "other: expected no such property, received number 1"],
  [[], "input: expected object, received array []"],
])("%j is reported per field", (value, report) => {
  expect(describeProblems(checkSchema(schema, value))).toBe(report);
});

test("names that every object has are no properties of a schema", () => {
  const schema: JsonSchema = { type: "object", properties: {}, additionalProperties: false };
  const value: unknown = JSON.parse('{"__proto__":1,"constructor":2}');
  expect(checkSchema(schema, value).map(({ path }) => path)).toEqual(["__proto__", "constructor"]);
});

test("patterns count only where the caller says that they are his own", () => {
  const schema: JsonSchema = { anyOf: [{ type: "string", pattern: "^ses_" }] };
  expect(checkSchema(schema, "prm_1")).toEqual([]);
  expect(checkSchema(schema, "prm_1", { hasOwnPatterns: true })).toHaveLength(1);
  expect(checkSchema(schema, "ses_1", { hasOwnPatterns: true })).toEqual([]);
});

test("what is wrong is named however deep or long it is", () => {
  const depth = 100_000;
  const deep: unknown = JSON.parse(`{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  expect(describeProblems(checkSchema(schema, deep))).toBe("name: expected string, received array nested too deeply");
  const long = { name: "ab", kind: "x".repeat(1_000_000) };
  expect(describeProblems(checkSchema(schema, long))).toBe(
    `kind: expected one of "file", "folder", received string "${"x".repeat(59)}…`,
  );
  const sizes = { name: "ab", sizes: [Number.POSITIVE_INFINITY] };
  expect(describeProblems(checkSchema(schema, sizes))).toBe("sizes[0]: expected integer, received number Infinity");
  expect(checkSchema({ type: "number" }, Number.NaN)).toHaveLength(1);
});
