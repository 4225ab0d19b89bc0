/** While the agent works: reading back, other sizes of the window, stopping it, and prompts that wait. */
import { bashCall, paced } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { openStage, promptIs, send, startTimeoutMs, userTexts, waitMs, write } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

const verses = Array.from({ length: 400 }, (_, index) => `Verse ${index + 1} of the song.`).join("\n\n");
/** About ten verses each second. */
const song = paced({ text: verses, deltaCharacters: 8 }, 30);

function versesOn(screen: readonly string[]): readonly number[] {
  return screen.flatMap((row) => /^ {2}Verse (\d+) of the song\./.exec(row)?.[1] ?? []).map(Number);
}

/** As the line above the prompt counts them. */
function tokensOn(screen: readonly string[]): number {
  return Number(/~(\d+) tokens/.exec(screen.join("\n"))?.[1] ?? 0);
}

function isOfSize(screen: readonly string[], columns: number, rows: number): boolean {
  return screen.length === rows && screen.some((row) => row.length === columns && row.endsWith("╯"));
}

test("who reads back while an answer streams is left alone, and finds the end again", slow, async () => {
  const { terminal } = await open({ script: [song] });
  await send(terminal, "Sing.");
  await terminal.until((screen) => (versesOn(screen).at(-1) ?? 0) >= 18, "18 verses", waitMs);
  terminal.press("pageUp");
  const back = await terminal.shows("ctrl+end: jump to the end", waitMs);
  const place = versesOn(back);
  expect(place.length).toBeGreaterThan(4);
  const later = await terminal.until((screen) => tokensOn(screen) > tokensOn(back) + 40, "more tokens", waitMs);
  expect(versesOn(later)).toEqual(place);
  expect(later.join("\n")).toContain("ctrl+end: jump to the end");
  terminal.press("ctrl+end");
  await terminal.until((screen) => (versesOn(screen)[0] ?? 0) > (place.at(-1) ?? 0), "the end", waitMs);
  expect(terminal.screen().join("\n")).not.toContain("jump to the end");
  terminal.press("escape");
  await terminal.shows("! interrupted", waitMs);
});

test("the window changes its size while an answer streams", slow, async () => {
  const { terminal } = await open({ script: [song] });
  await send(terminal, "Sing.");
  for (const [columns, rows] of [
    [50, 14],
    [110, 40],
    [64, 20],
  ] as const) {
    const shown = versesOn(terminal.screen()).at(-1) ?? 0;
    terminal.resize(columns, rows);
    const screen = await terminal.until(
      (now) => isOfSize(now, columns, rows) && (versesOn(now).at(-1) ?? 0) > shown + 2,
      `${columns} columns and more verses`,
      waitMs,
    );
    // Nothing is doubled, left over or out of order.
    const shownNow = versesOn(screen);
    expect(shownNow).toEqual(shownNow.map((_, index) => (shownNow[0] ?? 0) + index));
    expect(screen.filter((row) => row.includes("╰")).length).toBe(1);
  }
  terminal.press("escape");
  await terminal.shows("! interrupted", waitMs);
});

test("escape keeps what was said, and the next prompt goes on from there", slow, async () => {
  const { terminal, model } = await open({ script: [song, { text: "Enough then." }] });
  await send(terminal, "Sing.");
  await terminal.shows("Verse 3 of the song.", waitMs);
  terminal.press("escape");
  const screen = await terminal.shows("! interrupted", waitMs);
  expect(screen.join("\n")).toContain("Verse 3 of the song.");
  expect(screen.join("\n").match(/interrupted/gi)?.length).toBe(1);
  await send(terminal, "Stop singing.");
  await terminal.shows("Enough then.", waitMs);
  const { body } = await model.waitForRequest(2);
  const [, asked, answered, next] = body.messages ?? [];
  expect([asked?.content, next?.content]).toEqual(["Sing.", "Stop singing."]);
  expect(answered?.role).toBe("assistant");
  expect(verses.startsWith(answered?.content ?? "-")).toBe(true);
  expect(answered?.content).toContain("Verse 3 of the song.");
});

test("a prompt sent while the agent works waits in sight and reaches the model at its next step", slow, async () => {
  const gate = Promise.withResolvers<void>();
  const { terminal, model } = await open({
    script: [
      { text: "I look.", toolCalls: [bashCall("ls")], holdUntil: gate.promise },
      { text: "As you wish, in blue." },
    ],
  });
  await send(terminal, "Paint it.");
  await terminal.shows("waiting for model", waitMs);
  await send(terminal, "In blue, please.");
  await terminal.shows("⋯ In blue, please.", waitMs);
  expect(model.requests.length).toBe(1);
  gate.resolve();
  await terminal.shows("As you wish, in blue.", waitMs);
  expect(userTexts(await model.waitForRequest(2)).at(-1)).toContain("In blue, please.");
  expect(model.requests.length).toBe(2);
});

test("a follow-up waits for the end of the run, and alt+up takes it back to be changed", slow, async () => {
  const gate = Promise.withResolvers<void>();
  const { terminal, model } = await open({
    script: [
      { text: "I look.", toolCalls: [bashCall("ls")], holdUntil: gate.promise },
      { text: "It is painted." },
      { text: "And varnished." },
    ],
  });
  await send(terminal, "Paint it.");
  await terminal.shows("waiting for model", waitMs);
  await write(terminal, "Then varnish it.");
  terminal.press("alt+enter");
  await promptIs(terminal, "");
  await terminal.shows("⋯ Then varnish it.", waitMs);
  terminal.press("alt+up");
  await promptIs(terminal, "Then varnish it.");
  await terminal.until((rows) => !rows.join("\n").includes("⋯ Then"), "nothing that waits", waitMs);
  terminal.type(" Twice.");
  await promptIs(terminal, "Then varnish it. Twice.");
  terminal.press("alt+enter");
  await promptIs(terminal, "");
  gate.resolve();
  await terminal.shows("And varnished.", waitMs);
  expect(userTexts(await model.waitForRequest(2)).at(-1)).not.toContain("varnish");
  expect(userTexts(await model.waitForRequest(3)).at(-1)).toBe("Then varnish it. Twice.");
});
