import type { PermissionMode } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createModeCycle } from "./mode-cycle.ts";

function walk(first: PermissionMode, key: "next" | "togglePlan", presses: number): readonly PermissionMode[] {
  const cycle = createModeCycle();
  const modes = [first];
  for (let press = 0; press < presses; press += 1) modes.push(cycle[key]({ id: "ses_a", mode: modes.at(-1) ?? first }));
  return modes;
}

test("shift+tab goes through default, accept-edits and plan", () => {
  expect(walk("default", "next", 4)).toEqual(["default", "accept-edits", "plan", "default", "accept-edits"]);
});

test("a mode chosen at startup stays in the round", () => {
  expect(walk("bypass", "next", 4)).toEqual(["bypass", "default", "accept-edits", "plan", "bypass"]);
  expect(walk("auto", "next", 4)).toEqual(["auto", "default", "accept-edits", "plan", "auto"]);
});

test.each(["default", "accept-edits", "auto", "bypass"] as const)("tab returns from plan to %s", (mode) => {
  expect(walk(mode, "togglePlan", 3)).toEqual([mode, "plan", mode, "plan"]);
});

test("what one session had does not reach another", () => {
  const cycle = createModeCycle();
  expect(cycle.next({ id: "ses_a", mode: "bypass" })).toBe("default");
  expect(cycle.next({ id: "ses_b", mode: "plan" })).toBe("default");
  expect(cycle.togglePlan({ id: "ses_b", mode: "plan" })).toBe("default");
});
