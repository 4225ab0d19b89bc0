import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { completeFrom, picture, settled, setUpPrompt } from "../../test/prompt-harness.ts";
import { cursorMark, visibleWidth } from "../screen/text-width.ts";
import { symbolPresets } from "../theme/symbols.ts";

const mixed =
  "Make 漢字かな and 👨‍👩‍👧‍👦 🇨🇭 line up with cafe\u0301, please: every sign of the text has to stand where it is expected.";

test("an empty prompt shows the hint behind the cursor", () => {
  const { prompt, seen } = setUpPrompt();
  prompt.setHint("Ask anything");
  expect(seen(40)).toMatchInlineSnapshot(`
    [
      "╭──────────────────────────────────────╮",
      "│ ❯ ▏Ask anything                       │",
      "╰──────────────────────────────────────╯",
    ]
  `);
  expect(prompt.render(40)[1]).toContain(`${cursorMark}\u001b[7mA\u001b[27msk anything`);
  prompt.setHint("漢字");
  expect(seen(40)[1]).toMatchInlineSnapshot(`"│ ❯ ▏漢字                               │"`);
});

test.each([40, 80, 120])("text with wide and joined signs in %i columns", (width) => {
  const { prompt, press, seen } = setUpPrompt();
  prompt.setText(`${mixed}\n\nsecond`);
  press("ctrl+home", "alt+f", "right", "right");
  expect(seen(width)).toMatchSnapshot();
});

test.each([40, 80, 120])("list, label, token, vim and note in %i columns", async (width) => {
  const commands = Array.from({ length: 12 }, (_, index) => ({
    value: `command-${index}`,
    label: `/command-${index}`,
    ...(index % 2 === 0 && {
      detail: `Does 漢字 number ${index}, at some length that has to be cut in a narrow place`,
    }),
  }));
  const { prompt, type, press, paste, seen } = setUpPrompt({
    complete: completeFrom(commands, [{ value: "a\u001b[31m.ts", label: "a\u001b[31m.ts" }]),
    readAttachment: async () => "That picture has no known format; save it as PNG.",
  });
  prompt.setBorder("borderAccent", "plan");
  type("/comm");
  await settled();
  press("up", "up", "up", "up", "up");
  const list = seen(width);
  press("escape");
  prompt.clear();
  paste("x\n".repeat(20));
  prompt.attach(picture);
  type(" ");
  paste("/tmp/shot.xyz");
  await settled();
  expect({ list, tokens: seen(width) }).toMatchSnapshot();
  type(" @");
  await settled();
  expect(seen(width)[0]).toBe("  ❯ a.ts".padEnd(width));
});

test.each<readonly [string, string | undefined, string | undefined]>([
  ["!ls", "bashMode", "shell"],
  ["!!ls", "bashMode", "shell, not shown to the model"],
  ["# note", "thinkingHigh", "note"],
  ["/model", "thinkingHigh", "plan"],
  ["$x", "thinkingHigh", "plan"],
  ["hello", "thinkingHigh", "plan"],
])("the border of %j", (text, token, label) => {
  const used = new Set<string>();
  const fg = (name: string, shown: string) => {
    if (shown.includes("╭")) used.add(name);
    return shown;
  };
  const theme = { ...bareTheme(), fg };
  const { prompt, seen } = setUpPrompt({ theme: () => theme });
  prompt.setBorder("thinkingHigh", "plan");
  prompt.setText(text);
  used.clear();
  expect(seen(60)[0]).toBe(`╭─ ${label} ${"─".repeat(60 - 5 - (label?.length ?? 0))}╮`);
  expect([...used]).toEqual([token]);
});

test("ten rows are shown, and the border tells where there is more", () => {
  const { prompt, press, seen } = setUpPrompt();
  prompt.setText(Array.from({ length: 14 }, (_, index) => `line ${index}`).join("\n"));
  expect(seen(40)).toMatchInlineSnapshot(`
    [
      "╭────────────────────────────────── … ─╮",
      "│ ❯ line 4                             │",
      "│   line 5                             │",
      "│   line 6                             │",
      "│   line 7                             │",
      "│   line 8                             │",
      "│   line 9                             │",
      "│   line 10                            │",
      "│   line 11                            │",
      "│   line 12                            │",
      "│   line 13▏                            │",
      "╰──────────────────────────────────────╯",
    ]
  `);
  press("ctrl+home");
  expect([seen(40).length, seen(40)[1], seen(40).at(-1)]).toEqual([
    12,
    "│ ❯ ▏line 0                             │",
    "╰────────────────────────────────── … ─╯",
  ]);
});

test("the sign under the cursor is inverted, and the end is a blank", () => {
  const { prompt, press } = setUpPrompt();
  prompt.setText("a👨‍👩‍👧‍👦");
  expect(prompt.render(40)[1]).toContain(`a👨‍👩‍👧‍👦${cursorMark}\u001b[7m \u001b[27m`);
  press("left");
  expect(prompt.render(40)[1]).toContain(`a${cursorMark}\u001b[7m👨‍👩‍👧‍👦\u001b[27m`);
});

test("plain symbols make the same frame", () => {
  const theme = bareTheme(symbolPresets.ascii);
  const { prompt, seen } = setUpPrompt({ theme: () => theme });
  prompt.setText("hello");
  expect(seen(20)).toEqual(["+------------------+", "| > hello▏          |", "+------------------+"]);
});

test("no line is wider than the screen, and the cursor is seen once, whatever is written and however narrow", async () => {
  const random = createSeededRandom();
  const pieces = [
    "a",
    "word ",
    "\n",
    "漢字",
    "👨‍👩‍👧‍👦",
    "🇨🇭",
    "e\u0301",
    "\t",
    "\u0301",
    "/",
    "@",
    "!",
    "#",
    "x".repeat(30),
  ];
  for (let round = 0; round < 120; round += 1) {
    const { prompt, press, paste } = setUpPrompt({
      complete: completeFrom([{ value: "", label: "漢字".repeat(40), detail: "d".repeat(90) }], []),
      entries: ["漢字 old"],
    });
    prompt.setHint("What shall be done 漢字?");
    prompt.setBorder("border", "a label 漢字 that is long");
    const text = Array.from({ length: random.below(40) }, () => pieces[random.below(pieces.length)]).join("");
    prompt.setText(text);
    if (random.below(3) === 0) paste("y\n".repeat(30));
    press(...["ctrl+home", "left", "up", "ctrl+r"].slice(random.below(4)));
    await settled();
    for (const width of [1, 2, 5, 11, 12, 13, 20, 40 + random.below(80)]) {
      const lines = prompt.render(width);
      const about = `seed ${random.seed}: ${JSON.stringify(text)} in ${width}`;
      for (const line of lines) expect(visibleWidth(line), about).toBeLessThanOrEqual(width);
      if (width >= 12) expect(lines.join("").split(cursorMark).length, about).toBe(2);
    }
  }
});
