/** What the machine refuses is no mistake of the server. */
import { expect, test } from "vitest";
import { problemOfShortage } from "./failure-status.ts";

const refusedWith = (code: string) => problemOfShortage(Object.assign(new Error(code), { code, syscall: "open" }));

test.each([
  ["EMFILE", 503, "Not possible right now: too many files are open."],
  ["EAGAIN", 503, "Not possible right now: no more processes can be started."],
  ["ENOSPC", 507, "Not possible right now: the disk is full."],
])("%s is %d", (code, status, message) => {
  expect(refusedWith(code)).toMatchObject({ status, message });
});

test("anything else is a bug", () => {
  expect([refusedWith("ENOENT"), problemOfShortage(new TypeError("x")), problemOfShortage("x")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
