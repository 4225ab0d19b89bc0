/** Proves through the built program that hostile text stays text, wherever a model, a file or a name brings it in. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payloads } from "./parts/injection-payloads.ts";
import { openBrowser, openSite, type Visit, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let visited: Visit;
const events: string[] = [];

/** Each in a paragraph of its own, so that none of them hides in another. */
const all = payloads.join("\n\n");
const isName = (text: string) => text !== "" && !/[/\0]/.test(text) && Buffer.byteLength(text) < 200;

beforeAll(async () => {
  browser = await openBrowser();
  const read = { name: "read", input: { filePath: "hostile.txt" } };
  const shell = { name: "bash", input: { command: "cat hostile.txt", description: payloads[0] } };
  const write = { name: "write", input: { filePath: `made${payloads.find(isName)}.md`, content: all } };
  const hidden = payloads.find((text) => text.includes("\u202e")) ?? "";
  const options = [...payloads.slice(0, 3), hidden].map((label) => ({ label, description: all.slice(0, 400) }));
  const question = { question: `${payloads[1]} ${hidden}`, header: "x", options, multiSelect: false };
  const ask = { name: "question", input: { questions: [question] } };
  const turns = [
    { reasoning: all, text: all, toolCalls: [read, shell] },
    { toolCalls: [write] },
    { toolCalls: [ask] },
    { text: "The end." },
    { toolCalls: [{ name: "mcp__hostile__say", input: { value: all } }] },
    { toolCalls: [{ name: "mcp__hostile__fail", input: {} }] },
    { toolCalls: [{ name: "mcp__hostile__ask", input: {} }] },
    { text: "Over as well." },
  ];
  const hostile = { command: process.execPath, args: [join(import.meta.dirname, "hostile-mcp-server.ts")] };
  const permission = { bash: "allow", mcp__hostile__fail: "allow", mcp__hostile__ask: "allow" };
  site = await openSite(turns, { permission, mcp: { hostile: { ...hostile, alwaysLoad: true } } });
  writeFileSync(join(site.project, "hostile.txt"), all);
  // With a NUL it would be no text, and nothing of it would be shown.
  const shown = all.replaceAll("\0", "");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()">${shown}</svg>`;
  const html = `<body onload="pwned()"><script>pwned()</script>${shown}</body>`;
  for (const [kind, text] of Object.entries({ txt: shown, svg, html }))
    writeFileSync(join(site.project, `evil.${kind}`), text);
  mkdirSync(join(site.project, "names"));
  for (const name of payloads.filter(isName)) writeFileSync(join(site.project, "names", name), name);
  server = await site.start();
  visited = await visit(browser, server.link);
  const { page } = visited;
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction("pwned", () => void events.push("script ran"));
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** What only a page that took text for markup would have. */
async function strangers(): Promise<readonly string[]> {
  return visited.page.evaluate(() => {
    const wrong = "script:not([src^='/app/']), iframe, object, embed, svg script, form[action], base, meta[http-equiv]";
    const found = [...document.querySelectorAll(wrong)].map(({ outerHTML }) => outerHTML.slice(0, 80));
    for (const element of document.querySelectorAll("body *")) {
      for (const { name, value } of element.attributes) {
        const isScript = /^on/.test(name) || /^\s*(?:javascript|vbscript|data:text)/i.test(value);
        if (isScript && name !== "aria-label" && name !== "title" && name !== "alt" && name !== "value")
          found.push(`${element.tagName} ${name}=${value.slice(0, 60)}`);
      }
      for (const { nodeType, nodeValue } of element.childNodes) {
        // Characters that reorder what stands beside them.
        const turned =
          nodeType === Node.TEXT_NODE && /.{0,20}[\u202a-\u202e\u2066-\u2069].{0,20}/.exec(nodeValue ?? "");
        if (turned) found.push(`${element.tagName} reorders ${turned[0]}`);
      }
    }
    return found;
  });
}

async function isHarmless(): Promise<void> {
  const { page, problems } = visited;
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect([await strangers(), events, problems]).toEqual([[], [], []]);
}

test(`${payloads.length} payloads in an answer, its thinking, calls, results, diffs and questions`, async () => {
  const { page } = visited;
  await page.locator("#prompt").fill(all);
  await page.locator("#prompt").press("Enter");
  const permission = page.getByRole("dialog", { name: "Permission" });
  await permission.waitFor();
  // The real one is the only one, and it is outside the conversation.
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await page.locator(".transcript").getByRole("dialog").count()).toBe(0);
  expect(await page.locator(".transcript").getByRole("button", { name: /allow/i }).count()).toBe(0);
  await isHarmless();
  await expect.poll(() => permission.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await permission.getByRole("button", { name: "Allow once" }).click();
  const questions = page.getByRole("dialog", { name: "Question" });
  await questions.waitFor();
  await isHarmless();
  await questions.getByRole("radio").first().check();
  await expect.poll(() => questions.locator("form").getAttribute("aria-busy")).toBe("false");
  await questions.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("The end.").first().waitFor();
  await isHarmless();
});

test("in titles of sessions, names of files, what a file contains, and changes", async () => {
  const { page } = visited;
  const { pathname } = new URL(page.url());
  const titled = await page.evaluate(
    async ({ id, titles }) => {
      const send = (path: string, method: string, body: object) =>
        fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      let count = 0;
      for (const title of titles) {
        const forked = await (await send(`/session/${id}/fork`, "POST", {})).json();
        const named = await send(`/session/${forked.sessionId}`, "PATCH", { title });
        if (named.ok) count += 1;
      }
      return count;
    },
    { id: pathname.slice(pathname.lastIndexOf("/") + 1), titles: payloads.filter((_, index) => index % 4 === 0) },
  );
  expect(titled).toBeGreaterThan(10);
  await page.goto(`${server.url}/app`);
  await expect.poll(() => page.locator(".session-title").count()).toBeGreaterThan(titled);
  await isHarmless();
  await page.goto(`${server.url}/app/files/hostile.txt`);
  await page.getByText("pwned()").first().waitFor();
  await page.getByRole("button", { name: "names" }).click();
  await page.getByRole("link", { name: "onload=pwned" }).first().waitFor();
  await isHarmless();
  for (const name of ["evil.txt", "evil.svg", "evil.html"]) {
    await page.goto(`${server.url}/app/files/${name}`);
    await page.locator(".file-line", { hasText: "pwned()" }).first().waitFor();
    await isHarmless();
    // Where somebody is sent to the answer of the server itself, it is data and no page.
    const direct = await page.goto(`${server.url}/file?path=${name}`);
    expect([direct?.status(), direct?.headers()["content-type"]]).toEqual([200, "application/json"]);
    expect(direct?.headers()["x-content-type-options"]).toBe("nosniff");
    expect(await page.locator("svg, script").count()).toBe(0);
    expect(events).toEqual([]);
  }
  await page.goto(`${server.url}${pathname}`);
  await page.getByText("The end.").first().waitFor();
  await page.getByRole("link", { name: "Changes", exact: true }).click();
  await page.locator(".view-body").getByText("onload=pwned()").first().waitFor();
  await isHarmless();
});

test("in what an MCP server calls, describes, answers and asks", async () => {
  const { page } = visited;
  await page.goto(`${server.url}/app`);
  await page.locator("#prompt").fill("Ask the server");
  await page.locator("#prompt").press("Enter");
  const permission = page.getByRole("dialog", { name: "Permission" });
  await permission.waitFor();
  await isHarmless();
  await expect.poll(() => permission.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await permission.getByRole("button", { name: "Allow once" }).click();
  const form = page.getByRole("dialog", { name: "Question" });
  // One question for each field of the form; the choices name the field.
  for (const choice of ["0 0", "1 0", "2 0", "3 0"]) {
    await form.getByText(choice, { exact: true }).waitFor();
    await isHarmless();
    await form.getByRole("radio").first().check();
    await expect.poll(() => form.locator("form").getAttribute("aria-busy")).toBe("false");
    await form.getByRole("button", { name: "Send answer" }).click();
  }
  await page.getByText("Over as well.").first().waitFor();
  await isHarmless();
  await page.locator("#prompt").pressSequentially("@pwned");
  await page.getByRole("listbox").getByText("mcp://hostile").first().waitFor();
  await isHarmless();
  await page.locator("#prompt").fill("");
  await page.locator("#prompt").pressSequentially("/pwned");
  await page.getByRole("listbox").getByText("mcp:hostile:").first().waitFor();
  await isHarmless();
  await page.goto(`${server.url}/app/mcp`);
  await page.getByRole("button", { name: "Details" }).click();
  await page.locator("details p").getByText("pwned()").first().waitFor({ state: "attached" });
  await isHarmless();
});
