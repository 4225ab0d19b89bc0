/** Proves what the compiler cannot: that rows do not contradict each other, and what the vocabulary makes of them. */
import { expect, test } from "vitest";
import type { CommandRows, QueryRows } from "../src/index.ts";
import { commandRows, queryRows, readRows, schema, scopeOfCommand } from "../src/rows/index.ts";

const rows: CommandRows | QueryRows = { ...commandRows, ...queryRows };

test("no two rows have the same route", () => {
  const routes = [...Object.values(rows), ...Object.values(readRows)].map(({ route }) => route);
  expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
});

test("what a path names is a field that is always there", () => {
  const wrong = Object.entries({ ...rows, ...readRows }).flatMap(([type, { route, fields }]) => {
    const { required = [] } = schema.closed(fields);
    return [...route.matchAll(/:(\w+)/g)].flatMap(([, name = ""]) =>
      required.includes(name) ? [] : [`${type} ${name}`],
    );
  });
  expect(wrong).toEqual([]);
});

test("only a row that names a session needs one that is open", () => {
  const all: CommandRows = commandRows;
  const wrong = Object.entries(all).filter(([, row]) => row.needsOpenSession === true && !("sessionId" in row.fields));
  expect(wrong).toEqual([]);
});

test("a mode that asks less needs the right to approve", () => {
  const row = commandRows["mode.change"];
  expect(scopeOfCommand(row, { mode: "plan" })).toBe("prompt");
  expect(scopeOfCommand(row, { mode: "bypass" })).toBe("approve");
});

test("the vocabulary makes plain JSON Schema", () => {
  const { closed, either, integer, list, matching, named, optional, text, withDefault, words, yes } = schema;
  const made = closed({
    id: matching("^a"),
    kind: words("one", "two"),
    count: withDefault(integer({ minimum: 1 }), 5),
    tags: optional(list(text)),
    wish: optional(either(words("none"), named("Wish", closed({ isSure: yes })))),
  });
  expect(structuredClone(made)).toEqual({
    type: "object",
    properties: {
      id: { type: "string", pattern: "^a" },
      kind: { type: "string", enum: ["one", "two"] },
      count: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 5 },
      tags: { type: "array", items: { type: "string" } },
      wish: {
        anyOf: [
          { type: "string", const: "none" },
          {
            title: "Wish",
            type: "object",
            properties: { isSure: { type: "boolean", const: true } },
            required: ["isSure"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["id", "kind"],
    additionalProperties: false,
  });
});
