/** The whole way by keys alone: a prompt, an answer, a permission, a changed file, undo and redo, and back another day. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { editCall, paced, readCall } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { asked, openStage, promptIs, ready, send, startTimeoutMs, waitMs, write } from "./stage.ts";

const open = openStage();

const before = "export const price = 10;\nexport const name = 'tea';\n";
const after = "export const price = 12;\nexport const name = 'tea';\n";

test("from a prompt to a changed file, undone and done again", { timeout: startTimeoutMs }, async () => {
  const scene = await open({
    files: { "price.js": before },
    script: [
      { text: "I look at it first.", toolCalls: [readCall("price.js")] },
      { text: "Now I change it.", toolCalls: [editCall("price.js", "price = 10", "price = 12")] },
      paced({ text: "The price is **12** now.", deltaCharacters: 2 }, 100),
    ],
  });
  const { terminal, project } = scene;
  const file = join(project, "price.js");
  await send(terminal, "Make the tea cost 12.");
  const screen = await asked(terminal, "Allow once");
  console.log(screen.join("\n"));
  expect(readFileSync(file, "utf8")).toBe(before);
  terminal.press("y");
  await terminal.shows("The price is 12 now.", waitMs);
  console.log(terminal.screen().join("\n"));
  expect(readFileSync(file, "utf8")).toBe(after);
  await send(terminal, "/undo");
  console.log(terminal.screen().join("\n"));
  await terminal.shows("Undone. 1 file: modified price.js.");
  await promptIs(terminal, "Make the tea cost 12.");
  console.log(terminal.screen().join("\n"));
  expect(readFileSync(file, "utf8")).toBe(before);
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  await send(terminal, "/redo");
  await terminal.shows("Done again.");
  console.log(terminal.screen().join("\n"));
  expect(readFileSync(file, "utf8")).toBe(after);
  await write(terminal, "/exit");
  terminal.press("enter");
  expect(await terminal.ended()).toBe(0);
  console.log(terminal.screen().join("\n"));
  const again = await scene.restart(["--continue"]);
  await ready(again);
  await again.shows("The price is 12 now.", waitMs);
  console.log(again.screen().join("\n"));
});
