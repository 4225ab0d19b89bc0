import { type DiffFile, diffCounts, readUnifiedDiff } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, it } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { allowedLine, stripStyles } from "../../test/painted-lines.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { createHighlighter } from "../syntax/highlighter.ts";
import { diffLines } from "./diff-lines.ts";
import { createDiffView, type DiffLayout } from "./diff-view.ts";

const theme = bareTheme();

type Choice = { readonly width: number; readonly layout?: DiffLayout; readonly linesMax?: number };

function painted(diff: readonly DiffFile[], { width, layout = "auto", linesMax = 400 }: Choice): readonly string[] {
  return createDiffView({ diff, theme: () => theme, highlight: createHighlighter(), layout, linesMax }).render(width);
}

function rendered(diff: readonly DiffFile[], choice: Choice): string {
  return painted(diff, choice)
    .map((line) => stripStyles(line).trimEnd())
    .join("\n");
}

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);
const before = [
  ...numbered(20),
  "const total = add(left, right);",
  "  if (ready) {",
  "字幕 = 古い",
  ...numbered(30, 24),
  "end",
].join("\n");
const after = [
  ...numbered(20),
  "const total = add(left, other, right);",
  "    if (ready) {",
  "字幕 = 新しい",
  "one more line that is so long that it does not fit into half of a screen of 120 columns, and is wrapped",
  ...numbered(30, 24),
  "end!",
].join("\n");
const diff = [diffLines(`${before}\n`, after, "src/a.ts")];

describe("a diff", () => {
  it("is unified at 80 columns", () => {
    expect(rendered(diff, { width: 80 })).toMatchInlineSnapshot(`
      "   … 17 lines …
      18 18   line 18
      19 19   line 19
      20 20   line 20
      21    - const total = add(left, right);
      22    -   if (ready) {
      23    - 字幕 = 古い
         21 + const total = add(left, other, right);
         22 +     if (ready) {
         23 + 字幕 = 新しい
         24 + one more line that is so long that it does not fit into half of a screen
            +  of 120 columns, and is wrapped
      24 25   line 24
      25 26   line 25
      26 27   line 26
         … 24 lines …
      51 52   line 51
      52 53   line 52
      53 54   line 53
      54    - end
         55 + end!
            → no newline at end of file"
    `);
  });

  it("is split at 120 columns", () => {
    expect(rendered(diff, { width: 120 })).toMatchInlineSnapshot(`
      "   … 17 lines …
      18   line 18                                               │18   line 18
      19   line 19                                               │19   line 19
      20   line 20                                               │20   line 20
      21 - const total = add(left, right);                       │21 + const total = add(left, other, right);
      22 -   if (ready) {                                        │22 +     if (ready) {
      23 - 字幕 = 古い                                           │23 + 字幕 = 新しい
                                                                 │24 + one more line that is so long that it does not fit into
                                                                 │   +  half of a screen of 120 columns, and is wrapped
      24   line 24                                               │25   line 24
      25   line 25                                               │26   line 25
      26   line 26                                               │27   line 26
         … 24 lines …
      51   line 51                                               │52   line 51
      52   line 52                                               │53   line 52
      53   line 53                                               │54   line 53
      54 - end                                                   │55 + end!
                                                                 │   → no newline at end of file"
    `);
  });

  it("is split at 200 columns, and unified where that is wished", () => {
    expect(rendered(diff, { width: 200 }).split("\n")[4]).toMatchInlineSnapshot(
      `"21 - const total = add(left, right);                                                               │21 + const total = add(left, other, right);"`,
    );
    expect(rendered(diff, { width: 200, layout: "unified" })).toBe(
      rendered(diff, { width: 119 }).replace(/wr\n {6}\+ apped/, "wrapped"),
    );
  });

  it("marks changed words", () => {
    const line = painted(diff, { width: 80 }).find((candidate) => candidate.includes("other"));
    expect(line?.trimEnd()).toBe("   21 + const total = add(left, \u001b[7mother, \u001b[27mright);");
  });

  it("labels changes of whitespace only", () => {
    const spacing = [diffLines("a b\nc\n", "a  b\nc\n\n")];
    expect(rendered(spacing, { width: 60 })).toMatchInlineSnapshot(`
      "1   - a b
        1 + a  b
        whitespace only
      2 2   c
        3 +
        whitespace only"
    `);
  });

  it("folds long runs inside a hunk and is cut at a limit", () => {
    const context = numbered(30).map((line) => ` ${line}`);
    const patch = ["@@ -1,32 +1,32 @@ function f()", "-a", "+b", ...context, "-c", "+d"].join("\n");
    expect(rendered(readUnifiedDiff(patch).files, { width: 60, linesMax: 9 })).toMatchInlineSnapshot(`
      " 1    - a
          1 + b
       2  2   line 1
       3  3   line 2
       4  4   line 3
         … 24 lines …
      29 29   line 28
      30 30   line 29
      31 31   line 30
      32    - c
      … 1 more line"
    `);
  });

  it("names the files when there are several", () => {
    const patch =
      "diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n";
    expect(rendered(readUnifiedDiff(patch).files, { width: 60 })).toMatchInlineSnapshot(`
      "x.ts
      1   - a
        1 + b

      i.png
      Binary file, not shown."
    `);
  });

  it("shows what is unsafe instead of dropping it", () => {
    const lines = painted([diffLines("x\n", "rm \u001b[2Kx\u202e\ta\r\n")], { width: 60 });
    expect(lines.filter((line) => !allowedLine.test(line))).toEqual([]);
    expect(stripStyles(lines.at(-1) ?? "").trimEnd()).toBe("  1 + rm ␛[2Kx<U+202E>    a␍");
  });

  it("has the colours of the syntax once they are there", async () => {
    const highlight = createHighlighter();
    const marked = {
      ...theme,
      fg: (token: string, text: string) => (token.startsWith("syntax") ? `<${token} ${text}>` : text),
    };
    const view = createDiffView({
      diff: [diffLines("", "let a = 1\n", "x.ts")],
      theme: () => marked,
      highlight,
      layout: "auto",
    });
    const plain = view.render(60);
    expect(view.render(60)).toBe(plain);
    await highlight.load("ts");
    expect(view.render(60).map((line) => line.trimEnd())).toEqual(["  1 + <syntaxKeyword let> a = <syntaxNumber 1>"]);
  });

  it("counts what was added and removed", () => {
    expect(diffCounts(diff)).toEqual({ added: 5, removed: 4 });
    expect(createDiffView({ diff, theme: () => theme, highlight: createHighlighter(), layout: "auto" }).counts).toEqual(
      { added: 5, removed: 4 },
    );
  });

  it("keeps within every width", () => {
    for (const layout of ["unified", "split"] as const) {
      for (let width = 1; width <= 130; width += 3) {
        const tooWide = painted(diff, { width, layout }).filter((line) => visibleWidth(line) > width);
        expect({ layout, width, tooWide }).toEqual({ layout, width, tooWide: [] });
      }
    }
  });

  it("shows every sign and text, whatever the texts are", () => {
    const random = createSeededRandom();
    const words = [
      "alpha",
      "beta = 1",
      "",
      "  gamma",
      "- minus",
      "+ plus",
      "@@ -1 +1 @@",
      "--- a",
      "字",
      "x".repeat(90),
    ];
    const text = () =>
      Array.from({ length: random.below(30) }, () => `${words[random.below(words.length)]}\n`).join("");
    for (let round = 0; round < 200; round++) {
      const file = diffLines(text(), text());
      const lines = painted([file], { width: 70, layout: "unified", linesMax: 10_000 }).map(stripStyles);
      const digits = Math.max(
        1,
        ...file.hunks.flatMap(({ lines: all }) =>
          all.map((line) => `${Math.max(line.oldNumber ?? 0, line.newNumber ?? 0)}`.length),
        ),
      );
      const gutter = 2 * digits + 2;
      const shown: { sign: string; text: string }[] = [];
      for (const line of lines) {
        const numbers = line.slice(0, gutter);
        const sign = line[gutter] ?? "";
        if (/…|whitespace only/.test(line)) continue;
        const part = line.slice(gutter + 2).trimEnd();
        const last = shown.at(-1);
        if (numbers.trim() === "" && last !== undefined) last.text += part;
        else shown.push({ sign, text: part });
      }
      const wanted = file.hunks.flatMap(({ lines: all }) =>
        all.map(({ kind, text: whole }) => ({
          sign: { context: " ", added: "+", removed: "-" }[kind],
          text: whole.trimEnd(),
        })),
      );
      expect(shown, `seed ${random.seed}`).toEqual(wanted);
    }
  });
});
