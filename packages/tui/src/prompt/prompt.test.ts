import { expect, test } from "vitest";
import { completeFrom, keyInput, settled, setUpPrompt } from "../../test/prompt-harness.ts";
import { decodeInput } from "../screen/decode-input.ts";

const commands = ["model", "models", "memory"].map((value) => ({ value, label: `/${value}` }));
const files = ["src/", "src/a.ts", "my file.ts"].map((value) => ({ value, label: value }));
const complete = completeFrom(commands, files);
const longPaste = Array.from({ length: 42 }, (_, index) => `line ${index}`).join("\n");

test("typed text is sent, remembered, and gone with its draft", () => {
  const { prompt, type, press, entries, drafts } = setUpPrompt();
  type("fix 漢字 é 🇨🇭");
  expect([prompt.text(), prompt.isEmpty()]).toEqual(["fix 漢字 é 🇨🇭", false]);
  expect(press("enter", "alt+enter", "tab", "escape", "ctrl+c", "ctrl+g", "f1", "pageUp")).toEqual(
    Array(8).fill(false),
  );
  expect(prompt.takeSubmission()).toEqual({ text: "fix 漢字 é 🇨🇭", attachments: [] });
  expect([prompt.text(), prompt.isEmpty(), entries, drafts]).toEqual(["", true, ["fix 漢字 é 🇨🇭"], [undefined]]);
  expect(press("ctrl+_")).toEqual([true]);
  expect(prompt.text()).toBe("");
});

test("new lines come by shift and Enter, ctrl+j, and a backslash before Enter", () => {
  const { prompt, type, press } = setUpPrompt();
  type("a");
  press("shift+enter");
  type("b");
  press("ctrl+j");
  type("c\\");
  expect(press("enter")).toEqual([true]);
  type("d");
  expect(prompt.text()).toBe("a\nb\nc\nd");
  expect(press("enter")).toEqual([false]);
});

test("ctrl+d erases to the right, and is the app's when nothing is written", () => {
  const { prompt, type, press } = setUpPrompt();
  expect(press("ctrl+d")).toEqual([false]);
  type("ab");
  expect(press("home", "ctrl+d")).toEqual([true, true]);
  expect(prompt.text()).toBe("b");
});

test("cuts, puts back, takes back and does again by keys", () => {
  const { prompt, type, press } = setUpPrompt();
  type("one two");
  press("ctrl+w");
  expect(prompt.text()).toBe("one ");
  press("ctrl+a", "ctrl+k", "ctrl+y", "alt+y");
  expect(prompt.text()).toBe("two");
  press("ctrl+_");
  expect(prompt.text()).toBe("one ");
  press("ctrl+-", "ctrl+shift+-");
  expect(prompt.text()).toBe("one ");
  press("ctrl+u");
  expect(prompt.text()).toBe("");
});

test("a cleared text can be brought back", () => {
  const { prompt, type, press } = setUpPrompt();
  type("hello");
  prompt.clear();
  expect(prompt.isEmpty()).toBe(true);
  press("ctrl+_");
  expect(prompt.text()).toBe("hello");
});

test("up and down walk through history at the edges, and come back to the unsent text", () => {
  const { prompt, type, press, paste } = setUpPrompt({ entries: ["first", "two\nlines", "third"] });
  paste(longPaste);
  type(" draft");
  expect(press("up")).toEqual([true]);
  expect(prompt.text()).toBe("third");
  press("up");
  expect(prompt.text()).toBe("two\nlines");
  press("up");
  expect(prompt.text()).toBe("first");
  expect(press("up")).toEqual([false]);
  press("down");
  expect(prompt.text()).toBe("two\nlines");
  press("down");
  expect(prompt.text()).toBe("third");
  press("down");
  expect(prompt.text()).toBe("[pasted 42 lines #1] draft");
  expect(press("down")).toEqual([false]);
  expect(prompt.takeSubmission().text).toBe(`${longPaste} draft`);
});

test("an entry that was changed is the unsent text of the next walk", () => {
  const { prompt, type, press } = setUpPrompt({ entries: ["first", "second"] });
  press("up", "up");
  type("!");
  press("up");
  expect(prompt.text()).toBe("second");
  press("down");
  expect(prompt.text()).toBe("first!");
});

test("up goes by rows first, keeping the column", () => {
  const { prompt, type, press } = setUpPrompt({ entries: ["older"] });
  prompt.setText("hello world\nab\nsecond line");
  press("up", "up");
  type("|");
  expect(prompt.text()).toBe("hello world|\nab\nsecond line");
  press("up");
  expect(prompt.text()).toBe("older");
});

test("ctrl+r searches while typing; Enter takes, Escape gives the old text back", () => {
  const { prompt, type, press, seen } = setUpPrompt({ entries: ["fix the parser", "add tests", "fix the lexer"] });
  type("unsent");
  press("ctrl+r");
  expect(prompt.isPopupOpen()).toBe(true);
  type("fix");
  expect(seen(40)).toEqual([
    "╭──────────────────────────────────────╮",
    "│ ❯ fix the lexer                      │",
    "│   search: fix▏                        │",
    "╰──────────────────────────────────────╯",
  ]);
  press("ctrl+r");
  expect(seen(40)[1]).toBe("│ ❯ fix the parser                     │");
  expect(press("escape")).toEqual([true]);
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["unsent", false]);
  press("ctrl+r");
  type("add");
  expect(press("enter")).toEqual([true]);
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["add tests", false]);
  press("ctrl+r");
  type("zzz");
  expect(seen(40).slice(1, 3)).toEqual([
    "│ ❯ add tests                          │",
    "│   search (no match): zzz▏             │",
  ]);
});

test("a key that moves takes the match and moves in it", () => {
  const { prompt, type, press } = setUpPrompt({ entries: ["add tests"] });
  press("ctrl+r");
  type("te");
  press("home");
  type(">");
  expect(prompt.text()).toBe(">add tests");
});

test("Tab and Enter take a completion; Enter on a whole command is the app's", async () => {
  const { prompt, type, press } = setUpPrompt({ complete });
  type("/mo");
  await settled();
  expect(prompt.isPopupOpen()).toBe(true);
  expect(press("down", "tab")).toEqual([true, true]);
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["/models ", false]);
  prompt.clear();
  type("/mem");
  await settled();
  expect(press("enter")).toEqual([true]);
  expect(prompt.text()).toBe("/memory ");
  prompt.clear();
  type("/model");
  await settled();
  expect(press("enter")).toEqual([false]);
  expect(prompt.takeSubmission().text).toBe("/model");
});

test("Enter right after a letter sends what is typed, not what an older list has", async () => {
  const { prompt, type, press } = setUpPrompt({ complete });
  type("/m");
  await settled();
  type("x");
  expect(press("enter")).toEqual([false]);
  expect(prompt.text()).toBe("/mx");
});

test("Escape closes the list only, and it stays closed for this word", async () => {
  const { prompt, type, press } = setUpPrompt({ complete });
  type("see @s");
  await settled();
  expect(press("escape")).toEqual([true]);
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["see @s", false]);
  type("r");
  await settled();
  expect([prompt.isPopupOpen(), press("escape")]).toEqual([false, [false]]);
});

test("in a directory one goes on, and names with blanks are quoted", async () => {
  const { prompt, type, press } = setUpPrompt({ complete });
  type("@s");
  await settled();
  press("tab");
  await settled();
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["@src/", true]);
  press("down", "tab");
  type("@m");
  await settled();
  press("enter");
  expect(prompt.text()).toBe('@src/a.ts @"my file.ts" ');
});

test("entries of the history open no list", async () => {
  const { prompt, press } = setUpPrompt({ complete, entries: ["/model"] });
  press("up");
  await settled();
  expect([prompt.text(), prompt.isPopupOpen()]).toEqual(["/model", false]);
});

test("a click moves the cursor, and takes from the list", async () => {
  const { prompt, type, seen } = setUpPrompt({ complete });
  const click = (x: number, y: number) => prompt.handle({ kind: "mouse", mouse: { type: "click", x, y } });
  prompt.setText("漢字 text\nsecond");
  seen(40);
  expect([click(6, 1), click(4, 0), click(4, 99)]).toEqual([true, false, false]);
  type("|");
  expect(prompt.text()).toBe("漢|字 text\nsecond");
  seen(40);
  click(39, 2);
  type("|");
  expect(prompt.text()).toBe("漢|字 text\nsecond|");
  prompt.setText("/m");
  await settled();
  seen(40);
  click(3, 2);
  expect(prompt.text()).toBe("/memory ");
  expect(prompt.handle({ kind: "mouse", mouse: { type: "wheel", x: 4, y: 1, wheelLines: 3 } })).toBe(false);
  expect(prompt.handle({ kind: "focus", isFocused: false })).toBe(false);
});

test("tells about every change, and keys that are not the prompt's change nothing", () => {
  let changes = 0;
  const { prompt } = setUpPrompt({ onChange: () => (changes += 1) });
  const lines = prompt.render(40);
  expect(prompt.handle(keyInput("f5"))).toBe(false);
  expect([changes, prompt.render(40) === lines]).toEqual([0, true]);
  prompt.handle(keyInput("a"));
  expect([changes > 0, prompt.render(40) === lines]).toEqual([true, false]);
  expect(prompt.render(40)).toBe(prompt.render(40));
});

test("setting what is set already changes nothing", () => {
  let changes = 0;
  const { prompt } = setUpPrompt({ onChange: () => (changes += 1) });
  for (let round = 0; round < 3; round += 1) {
    prompt.setHint("Ask anything");
    prompt.setBorder("accent", "plan");
    prompt.setVim(false);
  }
  expect(changes).toBe(2);
});

test("what terminals send reaches the text", () => {
  const { prompt } = setUpPrompt();
  const send = (...sequences: readonly string[]) => {
    for (const sequence of sequences) {
      const input = decodeInput(sequence);
      if (input !== undefined) prompt.handle(input);
    }
    return prompt.text();
  };
  expect(send("H", "i", " ", "é", "漢", "👨‍👩‍👧‍👦")).toBe("Hi é漢👨‍👩‍👧‍👦");
  expect(send("\u007f")).toBe("Hi é漢");
  expect(send("\u001b[13;2u", "x", "\u001b[106;5u", "y")).toBe("Hi é漢\nx\ny");
  expect(send("\u0015", "\u0015", "\u0017")).toBe("Hi é漢\n");
  expect(send("\u001f")).toBe("Hi é漢\nx");
  expect(send("\u0001", "\u000b", "\u0019", "\u001by")).toBe("Hi é漢\nx\ny");
  expect(send("\u001b[200~one\rtwo\u001b[201~")).toBe("Hi é漢\nx\nyone\ntwo");
  expect(send("\u001b\u007f", "\u001b[1;5D", "\u001b[3~")).toBe("Hi é漢\nx\none\n");
});

test("a dollar sign is plain text", async () => {
  const { prompt, type, seen } = setUpPrompt({ complete });
  type("$x");
  await settled();
  expect([prompt.isPopupOpen(), seen(40)[0]]).toEqual([false, "╭──────────────────────────────────────╮"]);
});

test("a paste or a recalled paste that begins like a shell line is no shell line", () => {
  const short = setUpPrompt();
  short.paste("!curl example.com | sh");
  expect(short.prompt.text()).toBe(" !curl example.com | sh");
  const long = setUpPrompt();
  long.paste(`!${"rm -rf x\n".repeat(20)}`);
  expect(long.prompt.takeSubmission().text.startsWith(" !rm")).toBe(true);
  long.press("up");
  expect(long.prompt.text().startsWith("!")).toBe(false);
  const typed = setUpPrompt();
  typed.type("!ls");
  typed.prompt.takeSubmission();
  typed.press("up");
  expect(typed.prompt.text()).toBe("!ls");
});
