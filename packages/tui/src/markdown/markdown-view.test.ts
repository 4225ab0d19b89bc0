import { createSeededRandom } from "@kedge/testing";
import { describe, expect, it } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { allowedLine, stripStyles } from "../../test/painted-lines.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { createHighlighter } from "../syntax/highlighter.ts";
import { symbolPresets } from "../theme/symbols.ts";
import { createMarkdownView } from "./markdown-view.ts";

const theme = bareTheme();

function rendered(text: string, width: number, symbols = symbolPresets.unicode): readonly string[] {
  const chosen = bareTheme(symbols);
  const view = createMarkdownView({ theme: () => chosen, highlight: createHighlighter() });
  view.setText(text);
  view.end();
  return view.render(width).map((line) => stripStyles(line).trimEnd());
}

const sample = `# Title

Some **bold** and *slanted* and ~~gone~~ text with \`code\`, a [link](https://example.org/page), <https://plain.example> and 一个很长的中文句子，用来测试换行是否正确。 A family 👩 waves.
Second line of it.

Steps:
1. First
   - nested one
   - nested two

   \`\`\`sh
   npm run check
   \`\`\`
2. Second &lt;tag&gt;

- [ ] open
- [x] done

> quoted text that is long enough to be wrapped when the terminal is narrow, as it is in this test
>
> - in a quote

### Deep

| Name | What it does | Count |
|:--|:-:|--:|
| alpha | a cell with quite some text in it that has to wrap somewhere, since it is long | 1 |
| 名前 | short | 20 |

---

\`\`\`ts title="x"
const answer = 42;
\`\`\`

    indented code

![a chart](https://img.example/x.png) and <b>html</b><br>after
`;

describe("markdown on the screen", () => {
  it("is shown at 80 columns", () => {
    expect(rendered(sample, 80).join("\n")).toMatchInlineSnapshot(`
      "Title

      Some bold and slanted and gone text with code, a link
      (https://example.org/page), https://plain.example and 一个很长的中文句子，用来测
      试换行是否正确。 A family 👩 waves.
      Second line of it.

      Steps:
      1. First
         • nested one
         • nested two

         ── sh ──────────────────────────────────────────────────────
         npm run check
         ────────────────────────────────────────────────────────────

      2. Second <tag>

      ☐ open
      ☑ done

      │ quoted text that is long enough to be wrapped when the terminal is narrow, as
      │ it is in this test
      │
      │ • in a quote

      ### Deep

      ╭───────┬──────────────────────────────────────────────────────────────┬───────╮
      │ Name  │                         What it does                         │ Count │
      ├───────┼──────────────────────────────────────────────────────────────┼───────┤
      │ alpha │      a cell with quite some text in it that has to wrap      │     1 │
      │       │                 somewhere, since it is long                  │       │
      ├───────┼──────────────────────────────────────────────────────────────┼───────┤
      │ 名前  │                            short                             │    20 │
      ╰───────┴──────────────────────────────────────────────────────────────┴───────╯

      ────────────────────────────────────────────────────────────────────────────────

      ── ts ──────────────────────────────────────────────────────
      const answer = 42;
      ────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────
      indented code
      ────────────────────────────────────────────────────────────

      [image: a chart, img.example] and <b>html</b>
      after"
    `);
  });

  it("is shown at 120 columns with ASCII symbols", () => {
    expect(rendered(sample, 120, symbolPresets.ascii).slice(-34).join("\n")).toMatchInlineSnapshot(`
      "   -- sh ------------------------------------------------------
         npm run check
         ------------------------------------------------------------

      2. Second <tag>

      [ ] open
      [x] done

      | quoted text that is long enough to be wrapped when the terminal is narrow, as it is in this test
      |
      | * in a quote

      ### Deep

      +-------+--------------------------------------------------------------------------------+-------+
      | Name  |                                  What it does                                  | Count |
      +-------+--------------------------------------------------------------------------------+-------+
      | alpha | a cell with quite some text in it that has to wrap somewhere, since it is long |     1 |
      | 名前  |                                     short                                      |    20 |
      +-------+--------------------------------------------------------------------------------+-------+

      ------------------------------------------------------------------------------------------------------------------------

      -- ts ------------------------------------------------------
      const answer = 42;
      ------------------------------------------------------------

      ------------------------------------------------------------
      indented code
      ------------------------------------------------------------

      [image: a chart, img.example] and <b>html</b>
      after"
    `);
  });

  it("keeps within every width", () => {
    for (let width = 1; width <= 100; width += width < 20 ? 1 : 9) {
      const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
      view.setText(sample);
      const tooWide = view.render(width).filter((line) => visibleWidth(line) > width);
      expect({ width, tooWide }).toEqual({ width, tooWide: [] });
    }
  });

  it("shows footnotes", () => {
    expect(rendered("A note[^1].\n\n[^1]: What it says.\n", 60)).toEqual(["A note[^1].", "", "[^1]: What it says."]);
  });
});

describe("markdown that streams", () => {
  it("gives back the same lines while nothing changed", () => {
    const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
    view.append("Hello\n\nWorld");
    const first = view.render(80);
    expect(view.render(80)).toBe(first);
    view.append("\u001b[3");
    expect(view.render(80)).toBe(first);
    view.append("1m!");
    expect(view.render(80)).toEqual(["Hello", "", "World!"]);
    expect(view.render(40)).not.toBe(first);
  });

  it("ends up the same however it was cut into deltas", () => {
    const random = createSeededRandom();
    const whole = rendered(sample.repeat(3), 80);
    for (let round = 0; round < 20; round++) {
      const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
      const text = sample.repeat(3);
      for (let from = 0; from < text.length; ) {
        const size = 1 + random.below(61);
        view.append(text.slice(from, from + size));
        from += size;
        if (random.below(4) === 0) view.render(80);
      }
      view.end();
      expect(
        view.render(80).map((line) => stripStyles(line).trimEnd()),
        `seed ${random.seed}`,
      ).toEqual(whole);
    }
  });

  it("moves nothing above the last block while it streams", () => {
    const text = "First **bold\n\nSecond `code\n\n- one\n- two **x\n\nLast *word* and ~~more\n";
    const whole = rendered(text, 40);
    const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
    const settledAfter = (end: number) => rendered(text.slice(0, text.lastIndexOf("\n\n", end - 1) + 1), 40).length;
    for (let end = 1; end <= text.length; end++) {
      view.append(text.slice(end - 1, end));
      const lines = view.render(40).map((line) => stripStyles(line).trimEnd());
      const settled = text.lastIndexOf("\n\n", end - 1) < 0 ? 0 : settledAfter(end);
      expect(lines.slice(0, settled)).toEqual(whole.slice(0, settled));
    }
  });

  it("repaints code when its grammar is there, and what comes after it stays", async () => {
    let readied = 0;
    const highlight = createHighlighter({ onReady: () => readied++ });
    const marked = {
      ...theme,
      fg: (token: string, text: string) => (token.startsWith("syntax") ? `<${token} ${text}>` : text),
    };
    const view = createMarkdownView({ theme: () => marked, highlight });
    view.append("Before\n\n- item\n  ```js\n  let a = 1\n  ```\n\n```ts\nlet b = 2\n```\n\nAfter\n\n```go\nfunc");
    const plain = view.render(80);
    expect(plain.filter((line) => line.includes("<syntax"))).toEqual([]);
    await Promise.all(["ts", "js", "go"].map((language) => highlight.load(language)));
    expect(readied).toBe(3);
    view.append(" main() {}\nvar x");
    expect(view.render(80).map((line) => line.replaceAll("─", ""))).toEqual([
      "Before",
      "",
      "• item",
      "",
      "   js ",
      "  <syntaxKeyword let> a = <syntaxNumber 1>",
      "  ",
      "",
      " ts ",
      "<syntaxKeyword let> b = <syntaxNumber 2>",
      "",
      "",
      "After",
      "",
      " go ",
      "<syntaxKeyword func><syntaxFunction  main()> {}",
      "var x",
    ]);
  });
});

describe("markdown that is hostile", () => {
  it("lets no control sequence through, wherever it is split", () => {
    const attacks = [
      "a\u001b]0;title\u0007b \u001b[31mred\u001b[0m `\u001b[2Jx` \u009b5n [l\u001b]8;;http://x\u001b\\k](http://a/\u001b[1m)",
      "```\u001b[31mts\n\u001b]52;c;aGk=\u0007code\r\nnext\rlast\u001b\n```\n&#27;[31m &#x1b;[1m \\\u001b[7m",
      "| \u001b[1mh | b |\n|--|--|\n| \u0000x\u202ey | \u200bz\u001bP1;2|q\u001b\\ |\n![\u001b[5mi](data:\u001b[1m,x)",
    ];
    for (const attack of attacks) {
      const whole = rendered(attack, 60);
      for (let split = 0; split <= attack.length; split++) {
        const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
        view.append(attack.slice(0, split));
        expect(view.render(60).filter((line) => !allowedLine.test(line))).toEqual([]);
        view.append(attack.slice(split));
        view.end();
        const lines = view.render(60);
        expect(lines.filter((line) => !allowedLine.test(line))).toEqual([]);
        expect(lines.map((line) => stripStyles(line).trimEnd())).toEqual(whole);
      }
    }
  });

  it("lets nothing through from random bytes", () => {
    const random = createSeededRandom();
    const pieces = [
      "\u001b",
      "[",
      "]",
      "0;",
      "m",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "\r",
      "\n",
      "`",
      "```\n",
      "|",
      "- ",
      "> ",
      "\t",
      "**",
      "\ud83d",
      "\udc69",
      "é",
      "字",
      "&#27;",
      "<b>",
      "\u202e",
      "[a](b)",
      "x",
      " ",
      "\u0000",
      "P",
      "1. ",
    ];
    for (let round = 0; round < 100; round++) {
      const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
      for (let count = 0; count < 60; count++) {
        view.append(pieces[random.below(pieces.length)] ?? "");
        if (random.below(5) > 0) continue;
        const width = 1 + random.below(90);
        const bad = view.render(width).filter((line) => !allowedLine.test(line) || visibleWidth(line) > width);
        expect(bad, `seed ${random.seed}`).toEqual([]);
      }
    }
  });
});
