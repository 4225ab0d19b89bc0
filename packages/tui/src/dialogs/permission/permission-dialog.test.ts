/** The permission question: what is shown, which answers exist, what they send, and that nothing is answered by accident. */
import type { PermissionAnswer, PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { createPermissionDialog, type PermissionDialogProps } from "./permission-dialog.ts";

const theme = bareTheme();

const bash: PermissionRequest = {
  requestId: "per_1",
  callId: "call_1",
  tool: "bash",
  permission: "bash",
  patterns: ["npm test"],
  always: ["npm test *"],
  reason: 'the user rule bash "npm *" asks about npm test',
  preview: "npm test\n(in /work/app)",
  isSavable: true,
  saves: [{ permission: "bash", pattern: "npm test *", action: "allow" }],
};

const destroy: PermissionRequest = {
  ...bash,
  patterns: ["terraform destroy"],
  preview: "terraform destroy\n(in /work/infra)",
  reason: "terraform destroy: it cannot be taken back",
  evidence: [
    "working directory: /work/infra",
    "terraform.tfstate changed 4 minutes ago by: tar -xf old.tgz (step 12)",
    "the command was proposed after a page of example.com was read",
  ],
  isIrreversible: true,
};

type OpenProps = Partial<PermissionDialogProps> & { readonly inputText?: string };
const npmTest = JSON.stringify({ command: "npm test", timeout: 5 });

function open({ inputText = npmTest, request = bash, ...props }: OpenProps = {}) {
  const answers: PermissionAnswer[] = [];
  let clock = 0;
  const dialog = createPermissionDialog({
    request: { ...request, inputText },
    directory: "/work/app",
    waitingCount: 0,
    theme: () => theme,
    now: () => clock,
    lastKeyAt: () => Number.NEGATIVE_INFINITY,
    redraw: () => {},
    onAnswer: (answer) => answers.push(answer),
    ...props,
  });
  // In sight long enough for keys to count.
  dialog.render(76, 22);
  clock = 1_000;
  return { dialog, answers };
}

const keysShown = (dialog: Parameters<typeof insideOf>[0]) =>
  insideOf(dialog).flatMap((line) => /^[❯ ] ([a-z]) {2}\S/.exec(line)?.[1] ?? []);

test("a command with its directory, its rule and every answer", () => {
  expect(screenOf(open({ waitingCount: 2, agent: "reviewer" }).dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Permission ─────────────────────────────────────────────────────────────────╮
    │ Run this command? · agent reviewer · 2 more waiting                          │
    │ bash in /work/app                                                            │
    │                                                                              │
    │ │ npm test                                                                   │
    │                                                                              │
    │ The user rule bash "npm *" asks about npm test                               │
    │                                                                              │
    │ ❯ y  Allow once                                                              │
    │   a  Allow for this session: npm test *                                      │
    │   p  Always allow in this project: allow bash "npm test *"                   │
    │   n  Reject                                                                  │
    │   m  No, and tell the model what to do instead                               │
    │   e  Edit command                                                            │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("at 60 columns", () => {
  const always = ["npm test *", "npm run lint *", "npm run check-architecture *"];
  const saves = always.map((pattern) => ({ permission: "bash", pattern, action: "allow" as const }));
  const request = { ...bash, always, saves };
  expect(screenOf(open({ request, waitingCount: 1 }).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Permission ─────────────────────────────────────────────╮
    │ Run this command? · 1 more waiting                       │
    │ bash in /work/app                                        │
    │                                                          │
    │ │ npm test                                               │
    │                                                          │
    │ The user rule bash "npm *" asks about npm test           │
    │                                                          │
    │ Rules added by a or p:                                   │
    │   allow bash "npm test *"                                │
    │   allow bash "npm run lint *"                            │
    │   allow bash "npm run check-architecture *"              │
    │                                                          │
    │ ❯ y  Allow once                                          │
    │   a  Allow for this session: npm test *, npm run lint *… │
    │   p  Always allow in this project: allow bash "npm test… │
    │   n  Reject                                              │
    │   m  No, and tell the model what to do instead           │
    │   e  Edit command                                        │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("what cannot be taken back: evidence, changed files, reject first, nothing that lasts", () => {
  const { dialog, answers } = open({
    request: destroy,
    directory: "/work/infra",
    inputText: JSON.stringify({ command: "terraform destroy" }),
    changedFiles: ["terraform.tfstate", ".terraform/漢字.json"],
  });
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Permission (can't be undone) ───────────────────────────────────────────────╮
    │ This can't be undone.                                                        │
    │ Run this command?                                                            │
    │ bash in /work/infra                                                          │
    │                                                                              │
    │ │ terraform destroy                                                          │
    │                                                                              │
    │ terraform destroy: it cannot be taken back                                   │
    │ ! working directory: /work/infra                                             │
    │ ! terraform.tfstate changed 4 minutes ago by: tar -xf old.tgz (step 12)      │
    │ ! the command was proposed after a page of example.com was read              │
    │                                                                              │
    │ Changed in this session:                                                     │
    │   terraform.tfstate                                                          │
    │   .terraform/漢字.json                                                       │
    │                                                                              │
    │ ❯ n  Reject                                                                  │
    │   m  No, and tell the model what to do instead                               │
    │   y  Allow once                                                              │
    │   e  Edit command                                                            │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  for (const key of ["a", "p"]) press(dialog, key);
  expect(answers).toEqual([]);
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "reject" }]);
  expect(insideOf(dialog, { width: 20, height: 60 }).filter((line) => line.includes("would"))).toEqual([]);
});

test("a request that offers nothing but once and no", () => {
  const request: PermissionRequest = {
    requestId: "per_2",
    callId: "call_2",
    tool: "webfetch",
    permission: "webfetch",
    patterns: ["https://example.com"],
    always: [],
    reason: "no rule covers fetching https://example.com",
  };
  const { dialog, answers } = open({ request, inputText: '{"url":"https://example.com"}' });
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Permission ─────────────────────────────────────────────────────────────────╮
    │ Fetch https://example.com?                                                   │
    │ webfetch in /work/app                                                        │
    │                                                                              │
    │                                                                              │
    │ No rule covers fetching https://example.com                                  │
    │                                                                              │
    │ ❯ y  Allow once                                                              │
    │   n  Reject                                                                  │
    │   m  No, and tell the model what to do instead                               │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  for (const key of ["a", "p", "e"]) press(dialog, key);
  expect(answers).toEqual([]);
});

test.each([
  ["y", { reply: "once" }],
  ["n", { reply: "reject" }],
  ["escape", { reply: "reject" }],
  ["enter", { reply: "once" }],
])("%s answers at once, and only once", (key, expected) => {
  const { dialog, answers } = open();
  press(dialog, key);
  for (const more of ["y", "n", "enter", "escape"]) expect(press(dialog, more)).toBe(true);
  expect(answers).toEqual([expected]);
});

test.each([
  ["a", "session", "❯ a  Allow for this session: npm test *"],
  ["p", "project", '❯ p  Always allow in this project: allow bash "npm test *"'],
] as const)("%s only selects what lasts, and Enter confirms it", (key, reply, selected) => {
  const { dialog, answers } = open();
  for (const pressed of ["up", key, key]) expect(press(dialog, pressed)).toBe(true);
  expect(answers).toEqual([]);
  expect(insideOf(dialog).filter((line) => line.startsWith("❯"))).toEqual([selected]);
  expect(insideOf(dialog).at(-1)).toBe("Press Enter to confirm.");
  press(dialog, `alt+${key === "a" ? "p" : "a"}`);
  press(dialog, "enter");
  expect(answers).toEqual([{ reply }]);
});

test("what is selected but does not last needs no second key", () => {
  const { dialog, answers } = open();
  press(dialog, "p");
  press(dialog, "y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("arrows and Enter answer too, and clicks", () => {
  const first = open();
  press(first.dialog, "down");
  press(first.dialog, "down");
  press(first.dialog, "enter");
  expect(first.answers).toEqual([{ reply: "project" }]);
  const second = open();
  const at = insideOf(second.dialog).findIndex((line) => line.includes("n  Reject"));
  second.dialog.handle({ kind: "mouse", mouse: { type: "click", x: 4, y: at } });
  expect(second.answers).toEqual([{ reply: "reject" }]);
});

test("which answers exist follows the request", () => {
  const { isSavable: _, ...unsaved } = bash;
  expect(keysShown(open().dialog)).toEqual(["y", "a", "p", "n", "m", "e"]);
  expect(keysShown(open({ request: unsaved }).dialog)).toEqual(["y", "a", "n", "m", "e"]);
  expect(keysShown(open({ request: { ...bash, always: [] } }).dialog)).toEqual(["y", "n", "m", "e"]);
  expect(keysShown(open({ request: destroy }).dialog)).toEqual(["n", "m", "y", "e"]);
  expect(keysShown(open({ inputText: "no json" }).dialog)).toEqual(["y", "a", "p", "n", "m"]);
});

test("a message goes with the rejection; Escape leads back to the choices", () => {
  const { dialog, answers } = open();
  press(dialog, "m");
  type(dialog, "no");
  press(dialog, "escape");
  expect(answers).toEqual([]);
  press(dialog, "m");
  press(dialog, "enter");
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Permission ─────────────────────────────────────────────────────────────────╮
    │ Run this command?                                                            │
    │ bash in /work/app                                                            │
    │                                                                              │
    │ │ npm test                                                                   │
    │                                                                              │
    │ The user rule bash "npm *" asks about npm test                               │
    │                                                                              │
    │ What should the model do instead?                                            │
    │ ❯                                                                            │
    │                                                                              │
    │ Type something first, or press Escape to go back.                            │
    │ enter done · shift+enter new line · esc back                                 │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  type(dialog, "use pnpm, y?");
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "reject", message: "use pnpm, y?" }]);
});

test("an edited command runs once, and keeps what else the input says", () => {
  const { dialog, answers } = open();
  press(dialog, "e");
  type(dialog, " --bail");
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "once", updatedInput: { command: "npm test --bail", timeout: 5 } }]);
});

test("a long command is whole: it scrolls, and says so", () => {
  const command = Array.from({ length: 60 }, (_, index) => `echo ${index}  && true`).join("\n");
  const { dialog } = open({
    request: { ...bash, patterns: [command], preview: command },
    inputText: JSON.stringify({ command }),
  });
  const seen = new Set<string>();
  for (let page = 0; page < 12; page += 1) {
    for (const line of insideOf(dialog)) seen.add(line);
    press(dialog, "pageDown");
  }
  expect(command.split("\n").filter((line) => !seen.has(`│ ${line}`))).toEqual([]);
  press(dialog, "home");
  expect(screenOf(dialog, { width: 60, height: 20 })).toMatchInlineSnapshot(`
    "
    ╭─ Permission ─────────────────────────────────────────────╮
    │ Run this command?                                        │
    │ bash in /work/app                                        │
    │                                                          │
    │ The user rule bash "npm *" asks about npm test           │
    │                                                          │
    │ │ echo 0  && true                                        │
    │ │ echo 1  && true                                        │
    │ │ echo 2  && true                                        │
    │ │ echo 3  && true                                        │
    │ │ echo 4  && true                                        │
    │ lines 1-10 of 68, page keys scroll                       │
    │                                                          │
    │ ❯ y  Allow once                                          │
    │   a  Allow for this session: npm test *                  │
    │   p  Always allow in this project: allow bash "npm test… │
    │   n  Reject                                              │
    │   m  No, and tell the model what to do instead           │
    │   e  Edit command                                        │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("a long line breaks without losing a blank", () => {
  const command = `printf '${"a  b ".repeat(40)}' 漢字`;
  const { dialog } = open({
    request: { ...bash, patterns: [command], preview: command },
    inputText: JSON.stringify({ command }),
  });
  const rows = dialog.render(50, 40).filter((line) => line.startsWith("│ "));
  expect(rows.map((line) => line.slice(2)).join("")).toBe(command);
});

test("a patch is drawn as one, with the words around it; the output of a command never is", () => {
  const patch = "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n";
  const request: PermissionRequest = {
    ...bash,
    tool: "edit",
    permission: "edit",
    patterns: ["src/x.ts"],
    preview: `Replaces all 2 at once.\n${patch}… 7 more lines`,
  };
  const drawn: (readonly string[])[] = [];
  const createDiff = (text: string, path: string) => {
    drawn.push([text, path]);
    return { render: () => [""] };
  };
  const { dialog } = open({ request, inputText: "{}", createDiff });
  expect(drawn).toEqual([[patch, "src/x.ts"]]);
  expect(insideOf(dialog).slice(0, 6)).toEqual([
    "Edit src/x.ts?",
    "edit in /work/app",
    "",
    "│ Replaces all 2 at once.",
    "│ … 7 more lines",
    "",
  ]);
  open({ request: { ...bash, preview: patch }, createDiff });
  expect(drawn.length).toBe(1);
});

test.each([
  ["user", "once", "bash was allowed in another client."],
  ["classifier", "once", "bash was allowed by the classifier."],
  ["interrupt", "reject", "The run was interrupted, so bash no longer needs an answer."],
  ["sibling", "session", "bash was also allowed: your previous answer covers it."],
  ["timeout", "reject", "bash was rejected: no one answered in time."],
] as const)("settled by %s: it says why and takes no answer any more", (source, reply, sentence) => {
  const { dialog, answers } = open();
  expect(dialog.resolvedBy({ source, reply })).toBe(sentence);
  expect(press(dialog, "y")).toBe(true);
  expect(answers).toEqual([]);
});

test.each([30, 60, 120])("hostile texts are made visible and stay on their lines at %i columns", (width) => {
  const evil = "rm -rf ~\u001b[2K\rls\u202e\n! all is safe\u0007";
  const request: PermissionRequest = {
    ...bash,
    tool: evil,
    permission: evil,
    patterns: [evil],
    always: [evil],
    reason: evil,
    preview: evil,
    evidence: [evil],
    isSavable: true,
  };
  const { dialog } = open({ request, directory: evil, agent: evil, inputText: JSON.stringify({ command: evil }) });
  const lines = dialog.render(width, 200);
  for (const line of lines) {
    expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    expect(foreignControls(line)).toEqual([]);
  }
  const text = lines.join("");
  expect(text).toContain("␛[2K␍ls");
  expect(text).toContain("␊!");
  // Neither a line end nor a wrap makes a line that begins like one of ours.
  expect(lines.filter((line) => line.startsWith("! ")).length).toBe(1);
  press(dialog, "e");
  for (const line of dialog.render(width, 60)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
});

test("nothing changed gives the same lines", () => {
  const { dialog } = open();
  expect(dialog.render(76, 22)).toBe(dialog.render(76, 22));
});
