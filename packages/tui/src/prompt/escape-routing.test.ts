import { expect, test } from "vitest";
import { type EscapeSituation, type EscapeTarget, escapeTarget } from "./escape-routing.ts";

const idle: EscapeSituation = { isDialogOpen: false, isPopupOpen: false, vimMode: undefined, isRunning: false };

test.each<readonly [Partial<EscapeSituation>, EscapeTarget]>([
  [{ isDialogOpen: true, isPopupOpen: true, isRunning: true }, "dialog"],
  [{ isPopupOpen: true, isRunning: true }, "prompt"],
  [{ vimMode: "insert", isRunning: true }, "prompt"],
  [{ vimMode: "insert" }, "prompt"],
  [{ vimMode: "normal", isRunning: true }, "interrupt"],
  [{ vimMode: "normal" }, "idle"],
  [{ isRunning: true }, "interrupt"],
  [{}, "idle"],
])("%j is for %s", (situation, target) => {
  expect(escapeTarget({ ...idle, ...situation })).toBe(target);
});
