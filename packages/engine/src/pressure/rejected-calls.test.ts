import { expect, test } from "vitest";
import { createRejectedCalls } from "./rejected-calls.ts";

test("an equal call stays rejected until the user speaks, whatever the order of its fields", () => {
  const calls = createRejectedCalls();
  calls.add("bash", { command: "ls", timeout: 5 }, "bash");
  const asked = () => [
    calls.isRejected("bash", { timeout: 5, command: "ls" }),
    calls.isRejected("bash", { command: "ls", timeout: 6 }),
    calls.isRejected("other", { command: "ls", timeout: 5 }),
  ];
  expect(asked()).toEqual([true, false, false]);
  calls.runStarted();
  expect(asked()).toEqual([true, false, false]);
  calls.userSpoke();
  expect(asked()).toEqual([false, false, false]);
});

test("three rejections of one permission in a run are enough, and said once", () => {
  const calls = createRejectedCalls();
  calls.add("bash", { command: "a" }, "bash");
  calls.add("edit", { path: "a" }, "edit");
  calls.add("bash", { command: "b" }, "bash");
  expect([calls.shouldFallBack(), calls.notice()]).toEqual([false, undefined]);
  calls.userSpoke();
  calls.add("bash", { command: "c" }, "bash");
  expect(calls.shouldFallBack()).toBe(true);
  expect(calls.notice()).toBe(
    'bash was rejected 3 times in this run. Such calls are asked about from now on; a rule such as "bash": "deny" in the setting "permission" answers them for good.',
  );
  expect(calls.notice()).toBeUndefined();
  calls.runStarted();
  expect([calls.shouldFallBack(), calls.notice()]).toEqual([false, undefined]);
});

test("twenty rejections in a session hold for every later run", () => {
  const calls = createRejectedCalls();
  for (let count = 0; count < 20; count += 1) {
    expect([calls.shouldFallBack(), calls.notice()]).toEqual([false, undefined]);
    calls.runStarted();
    calls.add("bash", { count }, count < 15 ? "bash" : "edit");
  }
  expect(calls.shouldFallBack()).toBe(true);
  expect(calls.notice()).toMatch(/^20 calls were rejected in this session, mostly bash\. /);
  calls.runStarted();
  expect([calls.shouldFallBack(), calls.notice()]).toEqual([true, undefined]);
});

test("only so many are remembered", () => {
  const calls = createRejectedCalls();
  for (let count = 0; count <= 200; count += 1) calls.add("bash", { count }, "bash");
  expect([0, 1, 200].map((count) => calls.isRejected("bash", { count }))).toEqual([false, true, true]);
});
