/** What a step takes from a queue with everything in it. */
import type { QueuedPrompt } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type QueueMode, saidPrompts } from "./said-prompts.ts";

/** s and f: steering and for later, of this run; S and F: of another run; l: left by a process that is gone. */
function taken(letters: string, mode: QueueMode): string {
  const queue = [...letters].map(
    (letter, index): QueuedPrompt => ({
      promptId: `${letter}${index}`,
      runId: letter === letter.toLowerCase() && letter !== "l" ? "own" : "other",
      delivery: letter.toLowerCase() === "f" ? "follow-up" : "steer",
      text: letter,
    }),
  );
  const isLeftOver = ({ text }: QueuedPrompt) => text === "l";
  const said = saidPrompts(queue, { runId: "own", isLeftOver }, mode);
  return said.map(({ text }) => text).join("");
}

test.each([
  ["", "", ""],
  ["s", "s", "s"],
  ["ss", "ss", "s"],
  ["sS", "sS", "s"],
  ["Ss", "Ss", "S"],
  ["FsFs", "ss", "s"],
  ["F", "", ""],
  ["ff", "ff", "ff"],
  ["ffs", "ffs", "ff"],
  ["sfs", "sfs", "sf"],
  ["ll", "ll", "ll"],
  ["llss", "llss", "lls"],
  ["lls", "lls", "lls"],
  ["sls", "sls", "sl"],
])("of %s all are %s, one at a time %s", (letters, all, one) => {
  expect([taken(letters, "all"), taken(letters, "one-at-a-time")]).toEqual([all, one]);
});
