import { expect, test } from "vitest";
import { htmlToMarkdown, htmlToText } from "./html-to-markdown.ts";

const url = "https://example.com/docs/page";
const prose = "Anchors hold a boat, and small ones are kept for quiet water, as every sailor knows. ".repeat(8).trim();

async function markdown(html: string): Promise<string> {
  return (await htmlToMarkdown(html, url)).text;
}

test("an article is taken out of the page around it", async () => {
  const page = `<!DOCTYPE html><html lang="en"><head><title>Anchors – Boats</title><script>track()</script></head><body class="x">
    <nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
    <main><article><h1>Anchors</h1><p>${prose}</p><h2>Kedges</h2><p>${prose} <a href="../kedge#top">More</a></p>
    <pre><code class="language-ts">const a = 1;\nif (a &lt; 2) run();</code></pre></article></main>
    <footer><p>Copyright</p></footer></body></html>`;
  expect(await htmlToMarkdown(page, url)).toEqual({
    title: "Anchors – Boats",
    text: `## Anchors\n\n${prose}\n\n## Kedges\n\n${prose} [More](https://example.com/kedge#top)\n\n\`\`\`ts\nconst a = 1;\nif (a < 2) run();\n\`\`\``,
  });
});

test("a page without an article comes whole, without scripts, styles and hidden parts", async () => {
  const page = `<style>p{color:red}</style><p>One</p><script>evil("</p>")</script><noscript>no</noscript><p hidden>secret</p>
    <template><p>later</p></template><svg><text>drawn</text></svg><!-- remark --><iframe src="x">frame</iframe>
    <ul><li>first<li>second <em>item</em></ul><hr><p>Last<br>line`;
  expect(await markdown(page)).toBe("One\n\n-   first\n-   second *item*\n\n---\n\nLast  \nline");
});

test("links become complete, and those that lead to no page become text", async () => {
  const page = `<base href="https://other.example/base/"><p><a href="a">A</a> <a href="//b.example">B</a>
    <a href="javascript:alert(1)">C</a> <a href="mailto:d@e.f">D</a> <a href="http://[">E</a> <a>F</a>
    <img src="g.png" alt="G"> <img src="data:image/png;base64,AAAA" alt="H"></p>`;
  expect(await markdown(page)).toBe(
    "[A](https://other.example/base/a) [B](https://b.example/) C D E F ![G](https://other.example/base/g.png)",
  );
});

test("tables of data become tables; tables that arrange the page become blocks", async () => {
  const data = `<table><thead><tr><th>Name</th><th>Size</th></tr></thead><tbody><tr><td>a|b</td><td><code>1</code>
    MB</td></tr><tr><td></td><td>2</td></tr></tbody></table>`;
  expect(await markdown(data)).toBe("| Name | Size |\n| --- | --- |\n| a\\|b | `1` MB |\n|  | 2 |");
  expect(await markdown(`<table><tr><td><p>Left</p></td><td>${data}</td></tr></table>`)).toBe(
    "Left\n\n| Name | Size |\n| --- | --- |\n| a\\|b | `1` MB |\n|  | 2 |",
  );
});

test.each([
  ["", ""],
  ["words only", "words only"],
  ["<title>T</title>body", "body"],
  ["<head><title>t</title></head><body><p>a", "a"],
  ["<html><head></head>no body</html>", "no body"],
  ["<p>un<b>closed", "un**closed**"],
  ["</div></p>stray", "stray"],
  ["&lt;b&gt; &amp;amp; &copy; &#8364;", "<b\\> &amp; © €"],
])("%j is read as %j", async (html, expected) => {
  expect(await markdown(html)).toBe(expected);
});

test("as text a page keeps its lines, its cells and its preformatted parts", async () => {
  const page = `<title>T</title><h1>Head</h1><p>One   two\n three<br>four</p><pre>  a\n    b</pre>
    <table><tr><td>x</td><td>y</td></tr></table>`;
  expect(await htmlToText(page, url)).toEqual({
    title: "T",
    text: "Head\n\nOne two three\nfour\n\n  a\n    b\n\nx\ty",
  });
});

test.each<[string, string, string]>([
  ["nested a thousand times", `${"<div>".repeat(900)}deep${"</div>".repeat(900)}`, "deep"],
  ["nested a million times", `start ${"<b>".repeat(1_000_000)}deep`, "start\ndeep"],
  ["of open brackets", `start ${"<".repeat(4_000_000)}`, "start"],
  ["of open comments", `start ${"<!--".repeat(1_000_000)}`, "start"],
  ["of scripts", `start ${"<script>x</script>".repeat(100_000)} end`, "start\nend"],
])("a page %s is read without delay", async (_, html, expected) => {
  expect([await markdown(html), (await htmlToText(html, url)).text]).toEqual([expected, expected]);
});
