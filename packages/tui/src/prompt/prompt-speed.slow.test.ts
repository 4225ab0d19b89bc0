import { expect, test } from "vitest";
import { keyInput, setUpPrompt } from "./prompt-harness.ts";

const megabyte = 1_048_576;
const keys = 200;

/** Of the faster keys the slowest, because a busy machine makes the others slow. */
function typingMs({ prompt }: ReturnType<typeof setUpPrompt>): number {
  const times = Array.from({ length: keys }, (_, index) => {
    const began = performance.now();
    prompt.handle(keyInput(index % 7 === 0 ? "space" : "a"));
    prompt.render(120);
    return performance.now() - began;
  });
  return times.sort((left, right) => left - right)[keys / 4] ?? 0;
}

const lines = "some words of a line of code // 漢字\n";

/** A text that is not a token is copied as a whole by every key; half a frame at 60 pictures a second is left for it. */
test.each<readonly [string, number, (set: ReturnType<typeof setUpPrompt>) => void]>([
  ["pasted as a token", 2, ({ paste }) => paste("x".repeat(megabyte))],
  ["in many lines", 8, ({ prompt }) => prompt.setText(lines.repeat(megabyte / lines.length))],
  ["in one line", 8, ({ prompt }) => prompt.setText("x".repeat(megabyte))],
  ["in one line of wide signs", 8, ({ prompt }) => prompt.setText("漢".repeat(megabyte))],
])("with a megabyte %s a key takes less than %i ms", (_, limitMs, fill) => {
  const set = setUpPrompt();
  fill(set);
  expect(typingMs(set)).toBeLessThan(limitMs);
});
