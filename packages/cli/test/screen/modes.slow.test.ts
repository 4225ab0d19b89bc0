/** How kedge is set while it runs: the model, the mode, the theme, vim, the palette, the help, the sidebar. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closed, openStage, promptIs, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("the model is changed by name and from the list, in the middle of a conversation", slow, async () => {
  const { terminal, model } = await open({
    script: [{ text: "The first one speaks." }, { text: "The second one speaks." }, { text: "The third one speaks." }],
    model: "openai/gpt-4.1",
  });
  await send(terminal, "Who are you?");
  await terminal.shows("The first one speaks.", waitMs);
  await send(terminal, "/model openai/gpt-4.1-mini");
  await terminal.shows("Model: openai/gpt-4.1-mini, from the next prompt.", waitMs);
  await send(terminal, "And now?");
  await terminal.shows("The second one speaks.", waitMs);
  terminal.press("ctrl+x");
  terminal.press("m");
  await terminal.shows("╭─ Model", waitMs);
  terminal.type("openai gpt-4.1-nano");
  await terminal.shows("❯ GPT-4.1 Nano  openai/gpt-4.1-nano", waitMs);
  terminal.press("enter");
  await terminal.shows("Model: openai/gpt-4.1-nano, from the next prompt.", waitMs);
  await send(terminal, "And at last?");
  await terminal.shows("The third one speaks.", waitMs);
  expect(model.requests.map(({ body }) => body.model)).toEqual(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano"]);
});

test("shift+tab goes through the modes, and accept-edits edits without asking", slow, async () => {
  const { terminal, project } = await open({
    script: [
      { toolCalls: [{ name: "write", input: { filePath: "new.txt", content: "new\n" } }] },
      { text: "Written." },
    ],
  });
  terminal.press("shift+tab");
  await terminal.shows("· accept-edits ·", waitMs);
  terminal.press("shift+tab");
  await terminal.shows("· plan ·", waitMs);
  terminal.press("shift+tab");
  await terminal.shows("· default ·", waitMs);
  terminal.press("shift+tab");
  await terminal.shows("· accept-edits ·", waitMs);
  await send(terminal, "Write it.");
  await terminal.shows("Written.", waitMs);
  expect(readFileSync(join(project, "new.txt"), "utf8")).toBe("new\n");
});

test("a theme is shown while it is chosen, and escape brings the old one back", slow, async () => {
  // High enough that the dialog leaves the last row alone.
  const { terminal, kedgeHome } = await open({ script: [], rows: 60 });
  const colours = () =>
    JSON.stringify(
      terminal
        .cells()
        .at(-1)
        ?.map(({ foreground, background }) => [foreground, background]),
    );
  await terminal.shows("⎇ main", waitMs);
  await terminal.settled(300);
  const before = colours();
  await send(terminal, "/theme");
  await terminal.shows("╭─ Theme", waitMs);
  terminal.press("down");
  await terminal.until(() => colours() !== before, "other colours", waitMs);
  terminal.press("escape");
  await closed(terminal, "Theme");
  await terminal.until(() => colours() === before, "the old colours", waitMs);
  await send(terminal, "/theme");
  await terminal.shows("╭─ Theme", waitMs);
  terminal.press("down");
  await terminal.until(() => colours() !== before, "other colours", waitMs);
  const chosen = colours();
  terminal.press("enter");
  await closed(terminal, "Theme");
  expect(colours()).toBe(chosen);
  expect(JSON.parse(readFileSync(join(kedgeHome, "tui.json"), "utf8"))).toEqual({ theme: { dark: "kedge-light" } });
});

test("the palette finds and runs", slow, async () => {
  const { terminal } = await open({ script: [] });
  terminal.press("ctrl+k");
  await terminal.shows("╭─ Commands", waitMs);
  terminal.type("accept-ed");
  await terminal.shows("❯ accept-edits ", waitMs);
  terminal.press("enter");
  await terminal.shows("· accept-edits ·", waitMs);
  terminal.press("ctrl+k");
  await terminal.shows("╭─ Commands", waitMs);
  terminal.type("zzzz");
  await terminal.shows("No matches", waitMs);
  terminal.press("escape");
  await closed(terminal, "Commands");
  await promptIs(terminal, "");
});

test("the help has every key of the document", slow, async () => {
  const { terminal } = await open({ script: [], rows: 200 });
  terminal.press("f1");
  const screen = await terminal.shows("╭─ Help", waitMs);
  const help = screen
    .map((row) => row.replaceAll("│", " "))
    .join(" ")
    .replaceAll(/\s+/g, " ");
  const rows = readFileSync(join(import.meta.dirname, "../../../../docs/keybinds.md"), "utf8").matchAll(
    /^\| `[a-z_]+` \| (`.+`) \| (.+) \|$/gm,
  );
  const missing = [...rows].flatMap(([, keys = "", summary = ""]) => {
    const named = [...keys.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key.replace("<leader>", "ctrl+x "));
    return help.includes(`${named.join(", ")} ${summary}`) ? [] : [`${named.join(", ")} ${summary}`];
  });
  expect(missing).toEqual([]);
  expect(help).toContain("Insert a newline");
});

test("a wide window has a sidebar, a narrow one has not", slow, async () => {
  const { terminal } = await open({ script: [{ text: "Yes." }], columns: 119, rows: 30 });
  await send(terminal, "Is it wide?");
  await terminal.shows("Yes.", waitMs);
  expect(terminal.screen().join("\n")).not.toContain("Context");
  terminal.resize(120, 30);
  await terminal.shows("Context", waitMs);
  terminal.press("ctrl+x");
  terminal.press("b");
  await terminal.until((screen) => !screen.join("\n").includes("Context"), "no sidebar", waitMs);
});
