/** Which parts of the built program a run loads: a short one only the first, one at work nothing of what others need. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dropCodeCaches, type MockTurn } from "@kedge/testing";
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
    .map((name) => /-(main|extras|work|late)\.bin$/.exec(name)?.[1])
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
      call("bash", { command: "ls", description: "List" }),
      call("edit", { filePath: "notes.txt", oldString: "one", newString: "two" }),
      call("grep", { pattern: "two" }),
      answer,
    ],
    ["main", "work"],
  ],
])("%s", async (name, flags, turns, parts) => {
  bench = await openWorkbench(turns);
  dropCodeCaches(bench.home);
  writeFileSync(join(bench.project, "notes.txt"), "one\n");
  if (name.includes("instructions")) writeFileSync(join(bench.project, "AGENTS.md"), "Use tabs.\n");
  const { code, stdout, stderr } = await bench.run(["-p", "Look at the notes.", ...flags]);
  expect({ code, stdout: stdout.trim(), stderr }).toEqual({ code: 0, stdout: "Done.", stderr: "" });
  expect(loadedParts(bench)).toEqual(parts);
});

test("hooks, skills, commands and plugins: a prompt alone, then a command", async () => {
  bench = await openWorkbench([answer, call("bash", { command: "ls", description: "List" }), answer]);
  const { home, project, run } = bench;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const hook = (word: string) => ({ type: "command", command: `echo ${word} >> ${project}/heard; cat > /dev/null` });
  const hooks = (event: string, word: string) => JSON.stringify({ hooks: { [event]: [{ hooks: [hook(word)] }] } });
  put(".kedge/config.json", hooks("PreToolUse", "before"));
  put(".kedge/skills/release/SKILL.md", "---\nname: release\ndescription: How to release.\n---\nTest first.\n");
  put(".kedge/commands/check.md", "---\ndescription: Check it.\n---\nCheck everything.\n");
  put("plugin/.claude-plugin/plugin.json", `{"name":"team","version":"1.0.0"}`);
  put("plugin/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: How to deploy.\n---\nDeploy it.\n");
  put("plugin/hooks/hooks.json", hooks("PostToolUse", "after"));
  expect(await run(["plugin", "add", "./plugin", "--yes"])).toMatchObject({ code: 0 });
  dropCodeCaches(home);
  expect(await run(["-p", "Hi.", "--trust"])).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(loadedParts(bench)).toEqual(["extras", "main"]);
  expect(await run(["-p", "List."])).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(readFileSync(join(project, "heard"), "utf8")).toBe("before\nafter\n");
  expect(loadedParts(bench)).toEqual(["extras", "main", "work"]);
});
