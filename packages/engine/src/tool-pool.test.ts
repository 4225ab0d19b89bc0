import type { Tool } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createToolPool } from "./tool-pool.ts";

function toolNamed(name: string, aliases: readonly string[] = []): Tool {
  return {
    name,
    aliases,
    description: `does ${name}`,
    inputSchema: { type: "object" },
    resultCharactersMax: 100,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: "", title: name }),
  };
}

const none: ReadonlySet<string> = new Set();
const tools = [toolNamed("write"), toolNamed("glob", ["find"]), toolNamed("read"), toolNamed("Zed")];

test("the same tools in any order give the same bytes", () => {
  const random = createSeededRandom();
  const expected = JSON.stringify(createToolPool(tools).schemas(none, "replace"));
  for (let round = 0; round < 20; round += 1) {
    expect(JSON.stringify(createToolPool(random.shuffle(tools)).schemas(none, "replace"))).toBe(expected);
  }
  expect(
    createToolPool(tools)
      .schemas(none, "replace")
      .map((schema) => schema.name),
  ).toEqual(["Zed", "glob", "read", "write"]);
});

test("a tool is found by name, alias and in any case; near names are offered otherwise", () => {
  const pool = createToolPool(tools);
  expect(pool.find("read")?.name).toBe("read");
  expect(pool.find("find")?.name).toBe("glob");
  expect(pool.find("READ")?.name).toBe("read");
  expect(pool.find("zed")?.name).toBe("Zed");
  expect(pool.find("reed")).toBeUndefined();
  expect(pool.nearNames("reed")[0]).toBe("read");
});

test("a tool with a search hint is named to the model only once it was found", () => {
  const pool = createToolPool([...tools, { ...toolNamed("notebook"), searchHint: "cells" }]);
  const names = (found: ReadonlySet<string>) => pool.schemas(found, "replace").map(({ name }) => name);
  expect(names(none)).toEqual(["Zed", "glob", "read", "write"]);
  expect(pool.schemas(none, "replace")).toBe(pool.schemas(none, "replace"));
  expect(names(new Set(["notebook"]))).toEqual(["Zed", "glob", "read", "write", "notebook"]);
  expect(pool.find("notebook")?.name).toBe("notebook");
});

test("a tool of another way of editing is not named to the model, but runs when it is called", () => {
  const pool = createToolPool([...tools, { ...toolNamed("apply_patch"), editModes: ["patch"] }]);
  expect(pool.schemas(none, "replace").map(({ name }) => name)).toEqual(["Zed", "glob", "read", "write"]);
  expect(pool.schemas(none, "patch").map(({ name }) => name)).toEqual(["Zed", "apply_patch", "glob", "read", "write"]);
  expect(pool.find("apply_patch")?.name).toBe("apply_patch");
});
