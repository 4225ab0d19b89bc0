/** Parts may ask for a frame before there is a screen. */
import { expect, test } from "vitest";
import { createFrames } from "./frames.ts";

test("nothing is drawn before the screen is there, and everything after", () => {
  const frames = createFrames();
  let drawn = 0;
  frames.redraw();
  const redraw = () => {
    drawn += 1;
  };
  frames.begin({ redraw, nextInMs: () => undefined, tick: () => {} });
  expect(drawn).toBe(0);
  frames.redraw();
  expect(drawn).toBe(1);
  frames.stop();
});
