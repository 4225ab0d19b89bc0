/** Proves that reads which are only counted weigh as if they were watched, and that paths are those from the root. */
import type { Need } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { type ConductParts, createConduct, type FinishedCall, type RunConduct } from "./conduct.ts";

const parts: ConductParts = {
  workspace: {
    cwd: "/w/tests",
    root: "/w",
    projectId: "p",
    lookAtPath: () => ({ place: "inside", otherNames: [] }),
    analyseShell: (command) => ({
      commands: [],
      files: [...command.matchAll(/> (\S+)/g)].map(([, path = ""]) => ({
        path,
        text: path,
        access: "write",
        by: ">",
        isProtected: false,
        place: "inside",
      })),
      concerns: [],
      readOnly: false,
      looksAt: "files",
    }),
    isProtected: () => false,
    home: "/home/dev",
    kedgeHome: "/home/dev/.kedge",
  },
  redact: (text) => text,
};

const done = { input: {}, outcome: "completed", output: "", readOnly: false } as const;
const look: FinishedCall = { ...done, callId: "look", tool: "read", readOnly: true };

function failedTest(callId: string): FinishedCall {
  const output = "FAILED tests/test_a.py::test_total - assert 3 == 42\n1 failed, 2 passed in 0.10s\n";
  return { ...done, callId, tool: "bash", command: "pytest -q", output, metadata: { exitCode: 1 } };
}

function edited(callId: string, path: string, ...lines: readonly string[]): FinishedCall {
  const diff = [`--- a/${path}`, `+++ b/${path}`, `@@ -1,1 +1,1 @@`, ...lines].join("\n");
  return { ...done, callId, tool: "edit", metadata: { diff } };
}

const levels = (run: RunConduct, calls: readonly FinishedCall[]) => calls.flatMap((call) => run.callEnded(call));

test("reads weigh as if each had been watched", () => {
  const random = createSeededRandom();
  const makers = [
    (callId: string) => [failedTest(callId)],
    (callId: string) => [edited(callId, "../a.py", "-x = 1", `+x = ${callId.length}`)],
    () => [look],
    () => Array.from({ length: random.below(40) }, () => look),
  ];
  for (let round = 0; round < 100; round += 1) {
    const calls = Array.from({ length: 30 }, (_, index) => makers[random.below(4)]?.(`c${index}`) ?? []).flat();
    const counted = levels(createConduct(parts).startRun(), calls);
    const watched = levels(
      createConduct(parts).startRun(),
      calls.map((call) => ({ ...call, readOnly: false })),
    );
    expect(counted).toEqual(watched);
  }
});

test("files are named from the root, wherever the work was begun", () => {
  const run = createConduct({ ...parts, pressure: { thresholds: { elevated: 1, high: 2 } } }).startRun();
  const [change] = run.callEnded(edited("c1", "../.github/workflows/ci.yml", "-  - run: test", "+  - run: true"));
  expect(change?.contributions).toEqual([
    { callId: "c1", weight: 4, why: ".github/workflows/ci.yml affects how the work is tested" },
  ]);
});

const write = (path: string): Need => ({
  permission: "edit",
  patterns: [path],
  always: [],
  access: "write",
  paths: [path],
});
const shell = (command: string): Need => ({ permission: "bash", patterns: [command], always: [], access: "execute" });

test("edits of tests are told to the gates only under pressure, by whichever tool", () => {
  const run = createConduct(parts).startRun();
  const needs = [write("/w/tests/a.py"), write("/w/src/a.py"), shell("echo > ../ci/x"), shell("echo > test_b.py")];
  expect(needs.map((need) => run.gateInput([need]))).toEqual([{}, {}, {}, {}]);
  for (const [index, value] of [1, 2, 3].entries()) {
    run.callEnded(failedTest(`t${index}`));
    run.callEnded(edited(`e${index}`, "../a.py", `-x = ${value}`, `+x = ${value + 1}`));
  }
  expect(needs.map((need) => run.gateInput([need]).pressure)).toEqual(
    [true, false, false, true].map((isTestEdit) => ({ level: "elevated", isTestEdit })),
  );
});
