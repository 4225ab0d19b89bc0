import { expect, test } from "vitest";
import { colorDepth } from "./color-depth.ts";

test.each([
  [{ COLORTERM: "truecolor", TERM: "dumb" }, "24bit"],
  [{ COLORTERM: "24bit" }, "24bit"],
  [{ COLORTERM: "TrueColor" }, "24bit"],
  [{ WT_SESSION: "1", TERM: "" }, "24bit"],
  [{}, "256"],
  [{ TERM: "" }, "256"],
  [{ TERM: "dumb" }, "256"],
  [{ TERM: "linux" }, "256"],
  [{ TERM: "xterm-256color" }, "24bit"],
  [{ TERM: "xterm", COLORTERM: "yes" }, "24bit"],
  [{ NO_COLOR: "1", COLORTERM: "truecolor" }, "none"],
  [{ NO_COLOR: "", TERM: "xterm" }, "24bit"],
] as const)("%j has %s", (environment, expected) => {
  expect(colorDepth(environment)).toBe(expected);
});
