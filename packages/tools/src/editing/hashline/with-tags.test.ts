/** Proves that a model that edits by lines can read, edit, write and edit again by the tags it is shown. */
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const inHashline = (): ToolContext => ({ ...workshop.newContext(), editMode: "hashline" });
const run = async (name: string, input: unknown) => (await workshop.run(name, input, inHashline())).output;

test("read shows a tag, edit_lines takes it and gives the next, write gives one too", async () => {
  workshop.put("a.ts", "one\ntwo|2\nthree\n");
  const read = await run("read", { filePath: "a.ts" });
  expect(read).toMatch(/^\[a\.ts#[0-9A-F]{4}\]\n1:one\n2:two\|2\n3:three\n\(lines 1-3 of 3\)$/);
  const header = (text: string) => text.split("\n", 1)[0] ?? "";
  const edited = await run("edit_lines", { input: `${header(read)}\nSWAP 2.=2:\n+TWO` });
  expect(workshop.text("a.ts")).toBe("one\nTWO\nthree\n");
  await run("edit_lines", { input: `${header(edited)}\nDEL 1` });
  expect(workshop.text("a.ts")).toBe("TWO\nthree\n");
  const written = await run("write", { filePath: "b.ts", content: "[b.ts#0A3B]\n1:x\n2:y\n" });
  expect(workshop.text("b.ts")).toBe("x\ny\n");
  await run("edit_lines", { input: `${header(written)}\nINS.TAIL:\n+z` });
  expect(workshop.text("b.ts")).toBe("x\ny\nz\n");
});

test("a part that was read carries the tag of the whole file; what has no lines carries none", async () => {
  workshop.put("a.ts", "one\ntwo\nthree\nfour\n");
  expect(await run("read", { filePath: "a.ts", offset: 2, limit: 1 })).toMatch(/^\[a\.ts#[0-9A-F]{4}\]\n2:two\n/);
  expect(await run("read", { filePath: "." })).not.toContain("#");
  const plain = await workshop.run("read", { filePath: "a.ts" });
  expect(plain.output).toMatch(/^1\|one\n/);
});
