/** Claims on shared tasks: one owner each, blocked ones wait, and what somebody left is free again. */
import { expect, test } from "vitest";
import { type ClaimableTask, checkChange, claimNext, releaseTasks } from "../../src/teams/task-claims.ts";

const task = (id: string, rest: Partial<ClaimableTask> = {}): ClaimableTask => ({
  ...{ id, subject: id, description: id, status: "open", blockedBy: [] },
  ...rest,
});

test("the first free task is claimed, one that is meant for the member before it, and never a blocked one", () => {
  const tasks = [
    task("t1", { status: "in_progress", owner: "a" }),
    task("t2", { blockedBy: ["t1"] }),
    task("t3"),
    task("t4", { owner: "b" }),
  ];
  expect(claimNext(tasks, "a")?.claimed).toMatchObject({ id: "t3", owner: "a", status: "in_progress" });
  expect(claimNext(tasks, "b")?.claimed).toMatchObject({ id: "t4", owner: "b" });
  const done = tasks.map((each) => (each.id === "t1" ? { ...each, status: "done" as const } : each));
  expect(claimNext(done, "a")?.claimed.id).toBe("t2");
  expect(claimNext([task("t1", { owner: "b" })], "a")).toBeUndefined();
});

test("what somebody gone had begun is free again, and what is done stays done", () => {
  const tasks = [
    task("t1", { status: "done", owner: "a" }),
    task("t2", { status: "in_progress", owner: "a" }),
    task("t3", { status: "in_progress", owner: "b" }),
  ];
  const released = releaseTasks(tasks, (owner) => owner === "a");
  expect(released.map(({ status, owner }) => `${status} ${owner}`)).toEqual([
    "done a",
    "open undefined",
    "in_progress b",
  ]);
  expect(releaseTasks(released, (owner) => owner === "a")).toBe(released);
});

test("nobody finishes the task of another, begins one that is done, or begins one without owning it", () => {
  const before = [
    task("t1", { status: "in_progress", owner: "a" }),
    task("t2", { status: "done", owner: "a" }),
    task("t3"),
  ];
  const changed = (id: string, rest: Partial<ClaimableTask>) =>
    before.map((each) => (each.id === id ? { ...each, ...rest } : each));
  expect(checkChange(before, changed("t1", { status: "done" }), "b")).toEqual({
    ok: false,
    problem: "t1 belongs to a. Send a message to a instead.",
  });
  expect(checkChange(before, changed("t1", { status: "done" }), "a").ok).toBe(true);
  expect(checkChange(before, changed("t2", { status: "in_progress" }), "a").ok).toBe(false);
  const begun = checkChange(before, changed("t3", { status: "in_progress" }), "b");
  expect(begun.ok && begun.tasks[2]).toMatchObject({ owner: "b", status: "in_progress" });
});
