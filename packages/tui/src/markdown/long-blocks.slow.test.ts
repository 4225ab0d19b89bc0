/** Blocks that are cut because they grew too large look as if they had not been. */
import { describe, expect, it } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { stripStyles } from "../../test/painted-lines.ts";
import { createHighlighter } from "../syntax/highlighter.ts";
import { createMarkdownView } from "./markdown-view.ts";

const theme = bareTheme();

function streamed(text: string, deltaLength = 37): readonly string[] {
  const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
  for (let from = 0; from < text.length; from += deltaLength) {
    view.append(text.slice(from, from + deltaLength));
    view.render(60);
  }
  view.end();
  return view.render(60).map((line) => stripStyles(line).trimEnd());
}

const count = 400;
const each = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe("a long", () => {
  it("list keeps its numbers and has no gap", () => {
    const text = each((index) => `${index + 100}. item **${index}**\n`).join("");
    expect(streamed(text)).toEqual(each((index) => `${index + 100}. item ${index}`));
  });

  it("table keeps its columns and has one frame", () => {
    const text = `| Name | Count |\n|:--|--:|\n${each((index) => `| row ${100 + index} | ${100 + index} |\n`).join("")}`;
    expect(streamed(`${text}\nafter`)).toEqual([
      "╭─────────┬───────╮",
      "│ Name    │ Count │",
      "├─────────┼───────┤",
      ...each((index) => `│ row ${100 + index} │   ${100 + index} │`),
      "╰─────────┴───────╯",
      "",
      "after",
    ]);
  });

  it("fence in a list goes on as code", () => {
    const text = `- do this:\n  \`\`\`text\n${each((index) => `  # line *${index}*\n`).join("")}  \`\`\`\n\nafter`;
    const lines = streamed(text).map((line) => line.trim());
    expect(lines.filter((line) => line.startsWith("#"))).toEqual(each((index) => `# line *${index}*`));
    expect(lines.at(-1)).toBe("after");
  });

  it("paragraph loses no word", () => {
    const words = each((index) => `word${index}`)
      .join(" ")
      .repeat(5);
    expect(streamed(words).join(" ").replaceAll(/\s+/g, " ")).toBe(words);
  });
});

describe("a fence", () => {
  it("does not show the line that closes it, not even half of it", () => {
    const view = createMarkdownView({ theme: () => theme, highlight: createHighlighter() });
    const rule = "─".repeat(20);
    view.append("````md\n```\n``");
    const open = [`── md ${"─".repeat(14)}`, "```"];
    expect(view.render(20)).toEqual(open);
    view.append("``");
    expect(view.render(20)).toEqual(open);
    view.append("\nafter");
    expect(view.render(20)).toEqual([...open, rule, "", "after"]);
  });

  it("that is never closed ends with the text", () => {
    expect(streamed("~~~\na\n\n  b")).toEqual(["─".repeat(60), "a", "", "  b", "─".repeat(60)]);
  });
});
