/** Proves that a session taken up by another process still knows the files that nobody changed since. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const read = (filePath: string): MockTurn => ({ toolCalls: [{ name: "read", input: { filePath } }] });
const edit = (filePath: string): MockTurn => ({
  toolCalls: [{ name: "edit", input: { filePath, oldString: "one", newString: "two" } }],
});

test("what is as it was seen is edited at once, and what somebody changed must be read again", async () => {
  const script = [
    read("same.txt"),
    read("other.txt"),
    { text: "Seen." },
    edit("same.txt"),
    edit("other.txt"),
    { text: "Done." },
  ];
  bench = await openWorkbench(script);
  const [same, other] = [join(bench.project, "same.txt"), join(bench.project, "other.txt")];
  writeFileSync(same, "one\n");
  writeFileSync(other, "one\n");
  await bench.run(["-p", "read them"]);
  writeFileSync(other, "one more\n");
  await bench.run(["-p", "edit them", "--continue", "--permission-mode", "accept-edits"]);
  expect([readFileSync(same, "utf8"), readFileSync(other, "utf8")]).toEqual(["two\n", "one more\n"]);
  expect(JSON.stringify(bench.model.requests[5]?.body.messages?.at(-1))).toContain("other.txt");
});
