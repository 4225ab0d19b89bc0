/** The mode that a teammate works in once its plan is approved: never one that asks nobody. */
import { expect, test } from "vitest";
import { modeAfterPlanning } from "./planning-member.ts";

test.each([
  ["default", "default"],
  ["accept-edits", "accept-edits"],
  ["bypass", "default"],
  ["auto", "default"],
] as const)("a leader in %s mode: %s", (leader, own) => {
  expect(modeAfterPlanning(leader)).toBe(own);
});
