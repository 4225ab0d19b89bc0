/** Proves what a terminal shows, what it is sent, and that it is left as it was found. */
import { afterEach, expect, test } from "vitest";
import { createFakeTerminal, type FakeTerminal } from "../../test/fake-terminal.ts";
import { type Input, keyName } from "./input.ts";
import { openScreen, type Screen } from "./open-screen.ts";
import type { Over, ScreenParts } from "./screen-parts.ts";

const open: { screen: Screen; terminal: FakeTerminal }[] = [];
afterEach(() => {
  for (const { screen, terminal } of open.splice(0)) {
    screen.stop();
    terminal.close();
  }
});

function setUp({
  columns = 80,
  rows = 24,
  lines = 3,
  ...given
}: Partial<ScreenParts> & Size & { lines?: number } = {}) {
  const terminal = createFakeTerminal({ columns, rows });
  const view = { lines: Array.from({ length: lines }, (_, index) => `line ${index}`), prompt: "> " };
  const inputs: Input[] = [];
  const clicks: unknown[] = [];
  const screen = openScreen({
    terminal,
    transcript: { render: () => view.lines },
    footer: { render: () => [view.prompt, "status"] },
    sidebar: { render: (width) => [`side ${width}`], isShown: () => true },
    endHint: () => " more below ",
    ...{ mouse: true, wheelLines: 3, hardwareCursor: false },
    ...given,
  });
  screen.listen({
    onInput: (input) => inputs.push(input),
    onTop: () => {},
    onTranscriptClick: (line, column) => clicks.push([line, column]),
    onFooterMouse: ({ x, y }) => clicks.push(["footer", x, y]),
  });
  open.push({ screen, terminal });
  return {
    ...{ terminal, screen, view, inputs, clicks },
    names: () => inputs.map((input) => (input.kind === "key" ? (input.key.text ?? keyName(input.key)) : input.kind)),
    written: () => terminal.pieces.join(""),
  };
}

async function seenOn(terminal: FakeTerminal): Promise<readonly string[]> {
  return (await terminal.screen()).map((line) => line.trimEnd());
}

type Size = { readonly columns?: number; readonly rows?: number };

/** As the emulator ends up after everything that was sent: modes that are on, by their numbers. */
function modesOn(written: string): readonly string[] {
  const on = new Set<string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one.
  for (const [, number = "", letter] of written.matchAll(/\u001b\[\?(\d+)([hl])/g)) {
    if (letter === "h") on.add(number);
    else on.delete(number);
  }
  return [...on].sort();
}

test("the first frame has the transcript above and the footer below", async () => {
  const { screen, terminal } = setUp({ rows: 8 });
  screen.start();
  expect(await seenOn(terminal)).toEqual(["line 0", "line 1", "line 2", "", "", "", ">", "status"]);
  expect([screen.columns, screen.rows, screen.isAtTop, screen.isAtEnd]).toEqual([80, 8, true, true]);
});

test("the sidebar is there from 120 columns on, and comes and goes with the size", async () => {
  const { screen, terminal } = setUp({ columns: 119 });
  screen.start();
  expect((await seenOn(terminal))[0]).toBe("line 0");
  terminal.resize(120, 24);
  screen.redrawNow();
  expect((await seenOn(terminal))[0]).toBe(`${"line 0".padEnd(82)}side 38`);
  terminal.resize(60, 12);
  screen.redrawNow();
  const seen = await seenOn(terminal);
  expect([seen[0], seen.at(-1), seen.length]).toEqual(["line 0", "status", 12]);
});

function over(placement: Over["placement"], mouse: Over["mouse"] = () => {}): Over {
  return {
    ...{ widthWished: 40, placement, mouse },
    render: (width, height) => ["+".repeat(width), `at most ${height}`.padEnd(width), "+".repeat(width)],
  };
}

test("a dialog stands in the middle or at the bottom, and leaves what was below it", async () => {
  const { screen, terminal } = setUp({ rows: 11, lines: 9 });
  screen.start();
  const before = await seenOn(terminal);
  screen.show(over("center"));
  screen.redrawNow();
  const centered = await seenOn(terminal);
  expect(centered.flatMap((line, row) => (line.includes("++++") ? [row, line.slice(20)] : []))).toEqual([
    ...[4, "+".repeat(40)],
    ...[6, "+".repeat(40)],
  ]);
  screen.show(over("bottom"));
  screen.redrawNow();
  const low = await seenOn(terminal);
  expect(low.flatMap((line, row) => (line.includes("++++") ? [row] : []))).toEqual([8, 10]);
  expect(low[10]?.slice(20)).toBe("+".repeat(40));
  screen.show(undefined);
  screen.redrawNow();
  expect(await seenOn(terminal)).toEqual(before);
});

test("a dialog is no wider than the screen, also when that shrinks under it", async () => {
  const { screen, terminal } = setUp({ columns: 60 });
  screen.start();
  screen.show(over("center"));
  terminal.resize(30, 10);
  screen.redrawNow();
  const rows = (await seenOn(terminal)).filter((line) => line.includes("+"));
  expect(rows.map((row) => row.length)).toEqual([30, 30]);
});

test("the end is followed until somebody scrolls up, and then hinted at", async () => {
  const { screen, terminal, view } = setUp({ rows: 8, lines: 50 });
  screen.start();
  expect((await seenOn(terminal))[5]).toContain("line 49");
  view.lines = [...view.lines, "line 50"];
  screen.redrawNow();
  expect((await seenOn(terminal))[5]).toContain("line 50");
  screen.scrollBy(-3);
  screen.redrawNow();
  expect([screen.isAtEnd, screen.isAtTop]).toEqual([false, false]);
  view.lines = [...view.lines, "line 51"];
  screen.redrawNow();
  const away = await seenOn(terminal);
  expect(away.join("\n")).toContain("more below");
  expect(away[0]).toContain("line 42");
  screen.scrollToTop();
  screen.redrawNow();
  expect([(await seenOn(terminal))[0]?.slice(0, 6), screen.isAtTop]).toEqual(["line 0", true]);
  screen.scrollByPage(1);
  screen.redrawNow();
  expect((await seenOn(terminal))[0]?.slice(0, 6)).toBe("line 4");
  screen.scrollToEnd();
  screen.redrawNow();
  const end = await seenOn(terminal);
  expect([end[5]?.slice(0, 7), screen.isAtEnd, end.join("").includes("more below")]).toEqual(["line 51", true, false]);
});

test("keys, pastes and the focus arrive decoded, each once", () => {
  const { screen, terminal, names } = setUp();
  screen.start();
  for (const sequence of [
    "a",
    "\r",
    "\u001b[200~x\ny\u001b[201~",
    "\u001b[I",
    "\u001b[97;1:3u",
    "\u001b[5~",
    "\u0003",
  ]) {
    terminal.send(sequence);
  }
  expect(names()).toEqual(["a", "enter", "paste", "focus", "pageUp", "ctrl+c"]);
});

test("an emoji that comes in halves is one", () => {
  const { screen, terminal, names } = setUp();
  screen.start();
  for (const half of "a😀b".split("")) terminal.send(half);
  expect(names()).toEqual(["a", "😀", "b"]);
});

test("a click says where in the transcript or the footer it was", () => {
  const { screen, terminal, clicks } = setUp({ rows: 8, lines: 50 });
  screen.start();
  terminal.send("\u001b[<0;5;2M");
  terminal.send("\u001b[<0;5;2m");
  terminal.send("\u001b[<0;3;7M");
  terminal.send("\u001b[<0;3;7m");
  expect(clicks).toEqual([
    [45, 4],
    ["footer", 2, 0],
  ]);
});

test.each([true, false])("stopping gives the terminal back, with the mouse %s", async (mouse) => {
  const { screen, terminal, written } = setUp({ mouse });
  screen.start();
  expect(modesOn(written())).toContain("1049");
  expect(modesOn(written()).includes("1000")).toBe(mouse);
  screen.setMouse(!mouse);
  screen.stop();
  const once = written();
  // Lines wrap by themselves and the cursor is seen in every terminal; nothing else is left.
  expect(modesOn(once)).toEqual(["25", "7"]);
  expect(terminal.isRaw).toBe(false);
  expect((await seenOn(terminal)).join("")).not.toContain("line");
  screen.stop();
  expect(written()).toBe(once);
});

test("nothing is drawn after the end, and a second start draws everything", async () => {
  const { screen, terminal, view, names } = setUp({ rows: 8 });
  screen.start();
  screen.stop();
  terminal.forget();
  screen.redraw();
  await new Promise((resolve) => setImmediate(resolve));
  expect(terminal.pieces).toEqual([]);
  view.prompt = "> edited elsewhere";
  screen.start();
  const seen = await seenOn(terminal);
  expect([seen[0], seen[6]]).toEqual(["line 0", "> edited elsewhere"]);
  terminal.send("x");
  expect(names()).toEqual(["x"]);
});

test("one typed character on a large screen writes one line", () => {
  const { screen, terminal, view, written } = setUp({ columns: 200, rows: 50, lines: 500 });
  screen.start();
  terminal.forget();
  view.prompt = "> a";
  screen.redrawNow();
  expect(written().length).toBeLessThan(1_024);
  expect(written()).toContain("> a");
  expect(written()).not.toContain("line 4");
  terminal.forget();
  screen.redrawNow();
  expect(written().length).toBeLessThan(64);
});

test("everything is drawn anew when something else wrote to the terminal", async () => {
  const { screen, terminal } = setUp({ rows: 8 });
  screen.start();
  terminal.write("\u001b[2J");
  screen.redrawAll();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await seenOn(terminal))[0]).toBe("line 0");
});

test("what is copied travels in base 64", () => {
  const { screen, terminal, written } = setUp();
  screen.start();
  terminal.forget();
  screen.copy("ü\u0007;");
  expect(written()).toBe("\u001b]52;c;w7wHOw==\u0007");
});
