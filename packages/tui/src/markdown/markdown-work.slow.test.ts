/** Proves that a frame costs what changed: work is counted in characters, because time depends on the machine. */
import { describe, expect, it } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { createMarkdownLexer } from "../screen/markdown-lexer.ts";
import { createHighlighter, type Highlighter } from "../syntax/highlighter.ts";
import { createMarkdownView, type MarkdownView } from "./markdown-view.ts";

type Work = { lexed: number; coloured: number; painted: number };

async function countedView(): Promise<{ readonly view: MarkdownView; readonly take: () => Work }> {
  let work: Work = { lexed: 0, coloured: 0, painted: 0 };
  const lex = createMarkdownLexer();
  const inner = createHighlighter();
  await inner.load("ts");
  const highlight: Highlighter = {
    ...inner,
    spans(code, language, options) {
      work.coloured += code.length;
      return inner.spans(code, language, options);
    },
  };
  const theme = bareTheme();
  const counting = {
    ...theme,
    fg(_: string, text: string) {
      work.painted += text.length;
      return text;
    },
  };
  const view = createMarkdownView({
    theme: () => counting,
    highlight,
    lex(text) {
      work.lexed += text.length;
      return lex(text);
    },
  });
  const take = () => {
    const taken = work;
    work = { lexed: 0, coloured: 0, painted: 0 };
    return taken;
  };
  return { view, take };
}

const deltasMax = 65_536;
const deltaLength = 32;
const deltasPerFrame = 650;

const section = [
  "## A part of the answer",
  "",
  "Some **bold** words and `code`, and a [link](https://example.org/page) to somewhere; the sentence goes on for a while.",
  "",
  "- one item with *emphasis*",
  "- another item",
  "  - a nested one",
  "",
  "| Name | Count |\n|--|--:|\n| a | 1 |\n| b | 2 |",
  "",
  "```ts",
  "export function add(left: number, right: number): number {",
  "  return left + right; // sum",
  "}",
  "```",
  "",
  "",
].join("\n");

function stream(view: MarkdownView, text: string): number {
  let frames = 0;
  for (let delta = 0; delta < text.length / deltaLength; delta++) {
    view.append(text.slice(delta * deltaLength, (delta + 1) * deltaLength));
    if (delta % deltasPerFrame !== 0) continue;
    view.render(120);
    frames++;
  }
  view.render(120);
  return frames + 1;
}

describe("the work of a long stream", () => {
  it.each([
    ["of many blocks", deltasMax, section],
    ["of one list", deltasMax / 8, "- an item with **bold** text and `code` in it, one of very many\n"],
    ["of one line", deltasMax / 8, "words and words and "],
    ["of one paragraph", deltasMax / 8, "A line of a paragraph that never ends, with `code` in it.\n"],
  ])("%s is about its length", async (_, deltas, part) => {
    const answerLength = deltas * deltaLength;
    const { view, take } = await countedView();
    const text = part.repeat(Math.ceil(answerLength / part.length)).slice(0, answerLength);
    const frames = stream(view, text);
    const { lexed, coloured } = take();
    expect(frames).toBe(Math.ceil(deltas / deltasPerFrame) + 1);
    expect(lexed).toBeLessThan(3 * answerLength);
    expect(coloured).toBeLessThan(answerLength);
    view.append("one more ");
    view.render(120);
    expect(take().lexed).toBeLessThan(10_000);
    expect(view.render(120)).toBe(view.render(120));
    expect(take()).toEqual({ lexed: 0, coloured: 0, painted: 0 });
  });

  it("inside one code block is that of the new lines", async () => {
    const { view, take } = await countedView();
    const line = "export const value = compute(1, 'two', 3); // and a comment\n";
    view.append("```text\n");
    for (let count = 0; count < 20_000; count++) view.append(line);
    expect(view.render(120).length).toBe(20_001);
    expect(take().coloured).toBeLessThan(3 * 20_000 * line.length);
    for (let count = 0; count < 200; count++) {
      view.append(line.repeat(3));
      view.render(120);
    }
    // Each line when it came, and once more with its chunk.
    const { lexed, coloured, painted } = take();
    expect(lexed).toBe(0);
    expect(coloured).toBeLessThan(3 * 600 * line.length);
    expect(painted).toBeLessThan(3 * 600 * line.length);
    view.append("```\n");
    view.end();
    expect(view.render(120).length).toBe(20_602);
    expect(take().coloured).toBeLessThan(100 * line.length);
  });

  it("is done once when all of it comes at once", async () => {
    const { view, take } = await countedView();
    const text = section.repeat(500);
    view.setText(text);
    view.end();
    view.render(120);
    expect(take().lexed).toBeLessThan(1.5 * text.length);
    view.render(120);
    expect(take().lexed).toBe(0);
    // Of a text that has ended only the text is kept, so another width takes it up once more.
    view.render(80);
    expect(take().lexed).toBeLessThan(1.5 * text.length);
  });
});

describe("text made to be slow", () => {
  it.each(["*a ", "*a_", "_a_", "> ", "- ", "[", "[a](", "![", "<", "1. ", "`a``b```", "\n", "\u001b]", "> - "])(
    "%j is shown, and in no more words than it has",
    async (part) => {
      const { view, take } = await countedView();
      view.setText(part.repeat(50_000 / part.length));
      expect(view.render(100).join("").replaceAll(/\s/g, "").length).toBeLessThanOrEqual(2 * 50_000);
      expect(take().lexed).toBeLessThan(3 * 50_000);
    },
  );
});
