import { createHash } from "node:crypto";
import { hiddenCharacter, showCharacter, stripControlSequences } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { smallSession } from "./small-session.ts";
import { exportText, storeSession } from "./stored-session.ts";

const hostilePieces = [
  "</script>",
  "<script>alert(1)</script>",
  "<!--",
  "-->",
  "]]>",
  "<![CDATA[",
  "</div></details></article>",
  "<img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "'",
  "&lt;b&gt;",
  "&#60;",
  "&amp",
  "\u2028",
  "\u2029",
  "\u202Eevil\u202C",
  "\u2066",
  "\r\n",
  "\n",
  "\t",
  "\u0085",
  "<style>",
  "</title>",
  "<plaintext>",
  "javascript:alert(1)",
  "`${x}`",
  "𝒳",
  " words ",
];

async function page(words: Parameters<typeof smallSession>[0]) {
  const { source } = await storeSession("ses_small", smallSession(words));
  const html = await exportText(source, { format: "html", redact: "none" });
  return { html, document: parseHTML(html).document };
}

/** What parts of messages are made of; an element or attribute beside these came from a text. */
const elements = new Set(
  "HEADER TIME DIV P SPAN A STRONG EM DEL CODE PRE BR HR UL OL LI BLOCKQUOTE FIGURE FIGCAPTION DETAILS SUMMARY H2".split(
    " ",
  ),
);
const attributes = new Set("class dir href target rel referrerpolicy tabindex role aria-label open start".split(" "));

function strangers(document: Awaited<ReturnType<typeof page>>["document"]): readonly string[] {
  return [...document.querySelectorAll("article *")].flatMap((element) => {
    const names = [...element.attributes].map(({ name }) => name).filter((name) => !attributes.has(name));
    return [...(elements.has(element.tagName) ? [] : [element.tagName]), ...names];
  });
}

/** What a reader sees of a text that is shown word for word. */
function seen(text: string): string {
  return stripControlSequences(text).replaceAll(hiddenCharacter, showCharacter);
}

test("hostile texts stay texts", async () => {
  const random = createSeededRandom();
  const hostile = () => {
    let text = "x";
    for (let count = random.below(8); count >= 0; count -= 1) text += hostilePieces[random.below(hostilePieces.length)];
    return `${text}x`;
  };
  for (let round = 0; round < 60; round += 1) {
    const words = { prompt: hostile(), thought: hostile(), output: hostile(), answer: hostile() };
    const { document } = await page(words);
    const at = `seed ${random.seed}, round ${round}`;
    expect(strangers(document), at).toEqual([]);
    expect(document.querySelectorAll("article").length, at).toBe(3);
    const texts = [...document.querySelectorAll("article .text, article .plain")].map((element) => element.textContent);
    const output = seen(words.output).replaceAll("\t", "    ");
    expect(texts, at).toEqual([seen(words.prompt), seen(words.thought), output, '{"path":"a.txt"}']);
  }
});

test("characters that no document may hold are left out or replaced", async () => {
  const { document } = await page({ answer: "a\0b\uD800c" });
  expect([...document.querySelectorAll("article .markdown")].at(-1)?.textContent).toBe("ab\uFFFDc");
});

test("only the page's own script and style may run, and nothing is loaded", async () => {
  const { html, document } = await page({});
  const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const inner = (tag: string) => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? "";
  expect(document.querySelector("meta[http-equiv]")?.getAttribute("content")).toBe(
    `default-src 'none'; script-src ${digest(inner("script"))}; style-src ${digest(inner("style"))}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(html.match(/https?:|\bsrc=|\bhref=|url\(|@import/g)).toBeNull();
});

test("the session, its tree and its leaf are embedded, and the text of it cannot end the element", async () => {
  const title = "</script><!--&\u2028";
  const facts = [...smallSession(), { type: "session.updated", title, titleSource: "user" } as const];
  const { source, summary } = await storeSession("ses_small", facts);
  const html = await exportText(source, { format: "html", redact: "none" });
  const text = /<script type="application\/json" id="session">([^<]*)<\/script>/.exec(html)?.[1] ?? "";
  expect(text).not.toContain("\u2028");
  expect(JSON.parse(text)).toEqual({
    session: summary,
    kedgeVersion: "1.2.3",
    redacted: false,
    leafId: source.leafId,
    tree: [
      { id: "msg_p1", role: "user", createdAt: summary.createdAt + 1000 },
      { id: "msg_s1", role: "assistant", treeParent: "msg_p1", createdAt: summary.createdAt + 2000 },
      { id: "msg_s2", role: "assistant", treeParent: "msg_s1", createdAt: summary.createdAt + 6000 },
    ],
  });
});
