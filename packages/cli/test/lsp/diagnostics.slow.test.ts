/** Proves with the real program and TypeScript's own server: an error that an edit makes is told once, and gone once repaired. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { call, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const edit = (oldString: string, newString: string) => call("edit", { filePath: "a.ts", oldString, newString });
const errorsIn = (output: string) => output.match(/\S+:\d+:\d+ error: .*/g) ?? [];

test("fifty edits: an error is told with the edit that makes it, and with no other", async () => {
  const broken = "export const count: number = 'one';";
  const sound = "export const count: number = 1;";
  const turns: MockTurn[] = [call("read", { filePath: "a.ts" })];
  for (let round = 0; round < 25; round += 1) turns.push(edit(sound, broken), edit(broken, sound));
  site = await openLspSite(turns);
  putTypeScript(site);
  site.put("a.ts", `${sound}\n`);
  const told = (await site.results()).map(errorsIn);
  const error = "a.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)";
  expect(told).toEqual(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? [error] : [])));
  expect(readFileSync(join(site.project, "a.ts"), "utf8")).toBe(`${sound}\n`);
});

test("a plain project is told nothing of language servers: its requests have the size of those without any", async () => {
  const write = call("write", { filePath: "a.ts", content: "const count: number = 'one';\n" });
  const sizes: number[][] = [];
  for (const settings of [{}, { lsp: false, formatter: false }]) {
    site = await openLspSite([write], settings);
    expect(await site.results()).toEqual(["Created a.ts (+1 -0 lines)."]);
    sizes.push(site.model.requests.map(({ raw }) => raw.length));
    expect(site.model.requests[0]?.raw.toString()).not.toContain("lsp");
    await site.close();
  }
  expect(sizes[0]).toEqual(sizes[1]);
});

test("lsp: false turns everything off", async () => {
  site = await openLspSite([call("write", { filePath: "a.ts", content: "const count: number = 'one';\n" })], {
    lsp: false,
  });
  putTypeScript(site);
  expect(await site.results()).toEqual(["Created a.ts (+1 -0 lines)."]);
  expect(site.model.requests[0]?.raw.toString()).not.toContain("lsp");
});
