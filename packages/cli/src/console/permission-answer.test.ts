/** Proves that only clear words permit anything. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answerHint } from "./console-view.ts";
import { parsePermissionAnswer } from "./permission-answer.ts";

const request: PermissionRequest = {
  requestId: "per_1",
  callId: "call_1",
  tool: "bash",
  permission: "bash",
  patterns: ["npm test"],
  always: ["npm test *"],
  reason: "no rule allows it",
};

test("answers", () => {
  const answers = ["y", " YES ", "a", "n", "no, use pnpm", "n use pnpm", "", "yep", "y please", "always do"];
  expect(answers.map((line) => parsePermissionAnswer(line, request))).toEqual([
    { reply: "once" },
    { reply: "once" },
    { reply: "session" },
    { reply: "reject" },
    undefined,
    { reply: "reject", message: "use pnpm" },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("an empty line is a no to what cannot be taken back, and nothing lasts for longer", () => {
  const grave: PermissionRequest = { ...request, isIrreversible: true };
  const answers = ["", "  ", "a", "y", "n use a copy"].map((line) => parsePermissionAnswer(line, grave));
  expect(answers).toEqual([
    { reply: "reject" },
    { reply: "reject" },
    undefined,
    { reply: "once" },
    { reply: "reject", message: "use a copy" },
  ]);
});

test("for this session is refused where the request does not offer it", () => {
  expect(parsePermissionAnswer("a", { ...request, always: [] })).toBe(undefined);
});

test("for the project is an answer only where the request offers it", () => {
  const savable: PermissionRequest = { ...request, isSavable: true };
  expect(["p", "project", "p yes"].map((line) => parsePermissionAnswer(line, savable))).toEqual([
    { reply: "project" },
    { reply: "project" },
    undefined,
  ]);
  expect(parsePermissionAnswer("p", request)).toBe(undefined);
});

test("a changed command keeps what else the input says, and is taken as it was typed", () => {
  const inputText = JSON.stringify({ command: "npm test", cwd: "packages/a", timeout: 5 });
  const known = { ...request, inputText };
  expect(parsePermissionAnswer("e  npm  test -- 'a  b' ", known)).toEqual({
    reply: "once",
    updatedInput: { command: "npm  test -- 'a  b'", cwd: "packages/a", timeout: 5 },
  });
  const refused = [
    parsePermissionAnswer("e", known),
    parsePermissionAnswer("edit the file", known),
    parsePermissionAnswer("e npm test", request),
    parsePermissionAnswer("e npm test", { ...request, inputText: '{"filePath":"a"}' }),
    parsePermissionAnswer("e npm test", { ...request, inputText: "{broken" }),
  ];
  expect(refused).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("a call of another tool is no command, whatever its input calls itself", () => {
  const posing = { ...request, tool: "deploy", inputText: '{"command":"ls","target":"production"}' };
  expect(parsePermissionAnswer("e ls", posing)).toBe(undefined);
  expect(answerHint(posing)).toBe(answerHint(request));
});

test("the hint offers exactly what is an answer", () => {
  const inputText = '{"command":"npm test"}';
  expect(answerHint(request)).toBe(
    "  [y] once  [a] this session (npm test *)  [n] no  [n text] no, and do this instead: ",
  );
  expect(answerHint({ ...request, inputText, isSavable: true })).toBe(
    "  [y] once  [a] this session (npm test *)  [p] always in this project  [e command] run this instead  [n] no  [n text] no, and do this instead: ",
  );
});
