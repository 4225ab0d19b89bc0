/** The ten most used keys and commands of people who come from Claude Code, OpenCode and Codex, pressed in a real terminal. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paced } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { closed, openStage, promptIs, send, startTimeoutMs, userTexts, waitMs, write } from "./stage.ts";

const open = openStage();
const long = paced({ text: "Never all of this is shown. ".repeat(400), deltaCharacters: 8 }, 30);
const slow = { timeout: 2 * startTimeoutMs };

test("a user of Claude Code feels at home", slow, async () => {
  const { terminal, model, project } = await open({
    script: [
      { toolCalls: [{ name: "write", input: { filePath: "new.txt", content: "new\n" } }] },
      { text: "Written." },
      long,
      { text: "After the interrupt." },
    ],
    files: { "notes.md": "note\n" },
  });
  const { press, type, shows } = terminal;
  // 1. ? shows the keys.
  type("?");
  await shows("╭─ Help", waitMs);
  type("permission mode");
  await shows("shift+tab", waitMs);
  press("escape");
  await closed(terminal, "Help");
  // 2. Shift+Tab accepts edits.
  press("shift+tab");
  await shows("· accept-edits ·", waitMs);
  // 3. @ attaches a file, and 4. Enter sends.
  type("Look at @notes");
  await shows("notes.md", waitMs);
  press("tab");
  await promptIs(terminal, "Look at @notes.md");
  press("enter");
  await shows("Written.", waitMs);
  expect(readFileSync(join(project, "new.txt"), "utf8")).toBe("new\n");
  // 5. ! runs a command, and 6. Ctrl+O expands what was folded.
  await send(terminal, "!seq 1 60");
  await shows("21 more lines, ctrl+o", waitMs);
  press("ctrl+o");
  await shows(/^ {2}60 *$/m, waitMs);
  // 7. Esc interrupts.
  await send(terminal, "Say something long.");
  await shows("Never all", waitMs);
  press("escape");
  await shows("! interrupted", waitMs);
  // 8. Ctrl+R searches earlier prompts.
  press("ctrl+r");
  type("long");
  await shows("Say something long.", waitMs);
  press("escape");
  // 9. Esc Esc rewinds, pressed until both are heard within the time that makes them one.
  await expect
    .poll(async () => {
      press("escape");
      await terminal.taken();
      press("escape");
      await terminal.settled(300, waitMs);
      return terminal.screen().join("\n").includes("╭─ Rewind");
    })
    .toBe(true);
  press("escape");
  await closed(terminal, "Rewind");
  // 10. /cost, /clear and exit.
  await send(terminal, "/cost");
  await shows("╭─ Cost", waitMs);
  press("escape");
  await closed(terminal, "Cost");
  await send(terminal, "/clear");
  await shows("kedge 0.", waitMs);
  expect(model.requests.length).toBeGreaterThan(2);
  await write(terminal, "exit");
  press("enter");
  expect(await terminal.ended()).toBe(0);
});

test("a user of OpenCode feels at home", slow, async () => {
  const { terminal, project } = await open({
    script: [
      { toolCalls: [{ name: "write", input: { filePath: "new.txt", content: "new\n" } }] },
      { text: "Written." },
    ],
    settings: { permission: { edit: "allow" } },
  });
  const { press, type, shows } = terminal;
  const leader = (key: string) => {
    press("ctrl+x");
    press(key);
  };
  // 1. Tab switches to the plan and back.
  press("tab");
  await shows("· plan ·", waitMs);
  press("tab");
  await shows("· default ·", waitMs);
  // 2. Ctrl+P opens the palette.
  press("ctrl+p");
  await shows("type to filter", waitMs);
  type("compact");
  await shows("/compact", waitMs);
  press("escape");
  await promptIs(terminal, "");
  // 3. <leader> m chooses a model, 4. <leader> t a theme, 5. <leader> l a session.
  for (const [key, title] of [
    ["m", "Models"],
    ["t", "Themes"],
    ["l", "Sessions"],
  ] as const) {
    leader(key);
    await shows(`╭─ ${title}`, waitMs);
    press("escape");
    await closed(terminal, title);
  }
  // 6. A prompt changes a file, 7. /undo and 8. /redo take it back and bring it again.
  await send(terminal, "Write it.");
  await shows("Written.", waitMs);
  const path = join(project, "new.txt");
  await send(terminal, "/undo");
  await expect.poll(() => existsSync(path)).toBe(false);
  await send(terminal, "/redo");
  await expect.poll(() => existsSync(path)).toBe(true);
  // 9. <leader> n starts a new session, 10. /exit leaves.
  leader("n");
  await shows("kedge 0.", waitMs);
  await write(terminal, "/exit");
  press("enter");
  expect(await terminal.ended()).toBe(0);
});

test("a user of Codex feels at home", slow, async () => {
  const { terminal, model } = await open({
    script: [{ text: "First." }, long, { text: "Third." }],
    files: { "notes.md": "note\n" },
  });
  const { press, type, shows } = terminal;
  // 1. /status, 2. /model, 3. /approvals and 4. /diff show what they are named after.
  for (const [command, title] of [
    ["/status", "Status"],
    ["/model", "Models"],
    ["/approvals", "Permissions"],
  ] as const) {
    await write(terminal, command);
    press("enter");
    await shows(`╭─ ${title}`, waitMs);
    press("escape");
    await closed(terminal, title);
  }
  // 5. Ctrl+J makes a new line, and Enter sends both.
  type("one");
  press("ctrl+j");
  type("two");
  await promptIs(terminal, "one\ntwo");
  press("enter");
  await shows("First.", waitMs);
  expect(userTexts(model.requests[0] as never).at(-1)).toContain("one\ntwo");
  await send(terminal, "/diff");
  // 6. Esc interrupts, 7. Up brings the prompt back.
  await send(terminal, "Say something long.");
  await shows("Never all", waitMs);
  press("escape");
  await shows("! interrupted", waitMs);
  press("up");
  await promptIs(terminal, "Say something long.");
  // 8. Ctrl+C clears the prompt.
  press("ctrl+c");
  await promptIs(terminal, "");
  // 9. /new starts a new session.
  await send(terminal, "/new");
  await shows("kedge 0.", waitMs);
  // 10. Ctrl+C twice leaves.
  press("ctrl+c");
  await shows("press ctrl+c again to exit", waitMs);
  press("ctrl+c");
  expect(await terminal.ended()).toBe(130);
});
