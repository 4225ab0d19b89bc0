import { describe, expect, it } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { createHighlighter } from "./highlighter.ts";
import { grammars, languageOfPath } from "./languages.ts";
import { plainText } from "./styled-text.ts";

const theme = { ...bareTheme(), fg: (token: string, text: string) => `<${token.replace("syntax", "")} ${text}>` };

describe("the highlighter", () => {
  it("gives plain lines first, and coloured ones once the grammar is there", async () => {
    const ready: string[] = [];
    const highlighter = createHighlighter({ onReady: (language) => ready.push(language) });
    const code = `// one\nconst a = \`x \${b}\ny\`;\n`;
    expect(highlighter.ready("tsx")).toBe(false);
    expect(highlighter.highlight(code, "tsx", theme)).toEqual(["// one", `const a = \`x \${b}`, "y`;", ""]);
    await highlighter.load("typescript");
    expect([highlighter.ready("ts"), ready]).toEqual([true, ["typescript"]]);
    const lines = highlighter.highlight(code, "ts title=x", theme);
    expect(lines).toEqual(["<Comment // one>", `<Keyword const> a = <String \`x >\${b}`, "<String y`>;", ""]);
    expect(highlighter.highlight(code, "ts", theme)).toBe(lines);
    expect(highlighter.highlight(code, "ts", { ...theme })).toEqual(lines);
  });

  it("colours what stands inside another language", async () => {
    const highlighter = createHighlighter();
    await highlighter.load("html");
    expect(highlighter.highlight("<p class='x'>\n<script>let a\n= 1</script>", "html", theme)).toMatchInlineSnapshot(`
      [
        "<Punctuation <><Keyword p><Punctuation  ><Variable class><Punctuation =><String 'x'><Punctuation >>",
        "<Punctuation <><Keyword script><Punctuation >><Keyword let> a",
        "= <Number 1><Punctuation </><Keyword script><Punctuation >>",
      ]
    `);
  });

  it("leaves unknown languages, long lines and large blocks plain", async () => {
    const highlighter = createHighlighter();
    await highlighter.load("ts");
    expect(highlighter.ready("klingon")).toBe(true);
    expect(highlighter.highlight("let a", "klingon", theme)).toEqual(["let a"]);
    expect(highlighter.highlight("let a", "constructor", theme)).toEqual(["let a"]);
    const long = `let a = "${"x".repeat(2000)}"`;
    expect(highlighter.highlight(long, "ts", theme)).toEqual([long]);
    const large = Array.from({ length: 3001 }, () => "let a");
    expect(highlighter.highlight(large.join("\n"), "ts", theme)).toEqual(large);
  });

  it("has every grammar of its table, and none loses text", async () => {
    const highlighter = createHighlighter();
    const code = `# a 'b' "c" /* d\n*/ <e f='g'> { h: 1 } -- i // j\n\n\tk = l(m) \`n\n+ o\n- p: q # r\n@@ s \${t} \\`;
    for (const language of Object.keys(grammars)) {
      await highlighter.load(language);
      expect({ language, text: highlighter.spans(code, language).map(plainText).join("\n") }).toEqual({
        language,
        text: code,
      });
    }
  });

  it("knows languages by the names of files", () => {
    expect(["src/a.TS", "Makefile", "C:\\x\\y.py", ".bashrc", "a/b.d/noext", "x.unknown"].map(languageOfPath)).toEqual([
      "typescript",
      "makefile",
      "python",
      "bash",
      "",
      "",
    ]);
  });
});
