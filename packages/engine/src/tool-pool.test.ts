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

const tools = [toolNamed("write"), toolNamed("glob", ["find"]), toolNamed("read"), toolNamed("Zed")];

test("the same tools in any order give the same bytes", () => {
  const random = createSeededRandom(process.env["KEDGE_TEST_SEED"]);
  console.log(`seed ${random.seed}`);
  const expected = JSON.stringify(createToolPool(tools).schemas);
  for (let round = 0; round < 20; round += 1) {
    expect(JSON.stringify(createToolPool(random.shuffle(tools)).schemas)).toBe(expected);
  }
  expect(createToolPool(tools).schemas.map((schema) => schema.name)).toEqual(["Zed", "glob", "read", "write"]);
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
