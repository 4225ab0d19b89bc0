/** Which parts of the built program a run loads: a short one only the first, one at work nothing of what others need. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const answer: MockTurn = { text: "Done." };
const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });

/** A part that was loaded leaves a code cache. */
function loadedParts({ home }: Workbench): readonly (string | undefined)[] {
  return readdirSync(join(home, "cache"))
    .map((name) => /-(main|work|late)\.bin$/.exec(name)?.[1])
    .sort();
}

test.each([
  ["a prompt alone", [], [answer], ["main"]],
  ["a prompt beside instructions", ["--trust"], [answer], ["main"]],
  ["reading a file", [], [call("read", { filePath: "notes.txt" }), answer], ["main", "work"]],
  [
    "commands and edits",
    ["--dangerously-skip-permissions"],
    [
      call("bash", { command: "ls" }),
      call("edit", { filePath: "notes.txt", oldString: "one", newString: "two" }),
      call("grep", { pattern: "two" }),
      answer,
    ],
    ["main", "work"],
  ],
])("%s", async (name, flags, turns, parts) => {
  bench = await openWorkbench(turns);
  writeFileSync(join(bench.project, "notes.txt"), "one\n");
  if (name.includes("instructions")) writeFileSync(join(bench.project, "AGENTS.md"), "Use tabs.\n");
  const { code, stdout, stderr } = await bench.run(["-p", "Look at the notes.", ...flags]);
  expect({ code, stdout: stdout.trim(), stderr }).toEqual({ code: 0, stdout: "Done.", stderr: "" });
  expect(loadedParts(bench)).toEqual(parts);
});
