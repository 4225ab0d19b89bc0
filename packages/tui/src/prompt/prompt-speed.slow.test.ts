/** A prompt with a megabyte in it is still typed into; what a key costs there is measured by the terminal bench. */
import { withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { keyInput, setUpPrompt } from "../../test/prompt-harness.ts";

const megabyte = 1_048_576;
const keys = 200;
const lines = "some words of a line of code // 漢字\n";

test.each<readonly [string, (set: ReturnType<typeof setUpPrompt>) => void]>([
  ["pasted as a token", ({ paste }) => paste("x".repeat(megabyte))],
  ["in many lines", ({ prompt }) => prompt.setText(lines.repeat(megabyte / lines.length))],
  ["in one line", ({ prompt }) => prompt.setText("x".repeat(megabyte))],
  ["in one line of wide signs", ({ prompt }) => prompt.setText("漢".repeat(megabyte))],
])("with a megabyte %s every key arrives", (_, fill) => {
  const set = setUpPrompt();
  fill(set);
  withPatience(() => {
    for (let index = 0; index < keys; index += 1) {
      set.prompt.handle(keyInput("z"));
      set.prompt.render(120);
    }
  });
  expect(set.prompt.render(120).join("").match(/z/g)).toHaveLength(keys);
});
