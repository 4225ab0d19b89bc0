/** What is repaired of an input, what is refused, and in which words. */
import type { JsonSchema } from "@kedge/protocol";
import { expect, test } from "vitest";
import { parseInput } from "./tool-input.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    count: { type: "integer" },
    ratio: { type: "number" },
    all: { type: "boolean" },
    paths: { type: "array", items: { type: "string" } },
    mode: { type: "string", enum: ["content", "files"] },
    text: { type: "string" },
  },
  required: ["text"],
};
const parse = (input: object) => parseInput<object>(schema, { text: "x", ...input });

test.each([
  [{ count: "5" }, { count: 5 }],
  [{ count: " -12 " }, { count: -12 }],
  [{ ratio: "2.5" }, { ratio: 2.5 }],
  [{ all: "true" }, { all: true }],
  [{ all: "false" }, { all: false }],
  [{ paths: '["a", "b"]' }, { paths: ["a", "b"] }],
  [{ text: "5" }, { text: "5" }],
  [{ count: null }, {}],
  [{ unknown: 1 }, {}],
])("%j is taken for %j", (given, taken) => {
  expect(parse(given)).toEqual({ ok: true, input: { text: "x", ...taken } });
});

test.each([
  [{ count: "05" }, "count: expected integer, received"],
  [{ count: "1e3" }, "count: expected integer, received"],
  [{ count: "9007199254740993" }, "count: expected integer, received"],
  [{ count: "NaN" }, "count: expected integer, received"],
  [{ ratio: "NaN" }, "ratio: expected number, received"],
  [{ ratio: "Infinity" }, "ratio: expected number, received"],
  [{ count: "" }, "count: expected integer, received"],
  [{ all: "yes" }, "all: expected boolean, received"],
  [{ all: "TRUE" }, "all: expected boolean, received"],
  [{ paths: '["a"' }, "paths: expected array, received"],
  [{ paths: "a, b" }, "paths: expected array, received"],
  [{ mode: "lines" }, 'mode: expected one of "content", "files", received string "lines"'],
  [{ text: null }, "text: expected string, received null"],
])("%j is refused", (given, report) => {
  expect(parse(given)).toEqual({ ok: false, report: expect.stringContaining(report) });
});

test("each field has a line of its own", () => {
  const parsed = parse({ count: "x", all: 1 });
  expect(parsed).toMatchObject({ ok: false });
  expect(parsed.ok ? [] : parsed.report.split("\n").map((line) => line.split(":")[0])).toEqual(["count", "all"]);
});
