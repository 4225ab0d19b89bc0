/** Proves that more tabs than a browser has connections work beside each other, and that none of them misses anything. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;

beforeEach(async () => {
  browser = await openBrowser();
  const edit = { name: "edit", input: { filePath: "notes.txt", oldString: "one", newString: "two" } };
  const read = { name: "read", input: { filePath: "notes.txt" } };
  site = await openSite([
    { text: "Answer 1." },
    { text: "Answer 2." },
    { toolCalls: [read] },
    { toolCalls: [edit] },
    { text: "Answer 3." },
  ]);
  writeFileSync(join(site.project, "notes.txt"), "one\n");
  server = await site.start();
});

afterEach(async () => {
  await browser?.close();
  await site?.close();
});

/** A browser without a screen shows every tab at once: which of them is in front is said here. */
async function saysWhatIsSeen(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    let isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    Object.defineProperty(document, "visibilityState", { get: () => (isHidden ? "hidden" : "visible") });
    globalThis.setHidden = (next) => {
      isHidden = next;
      document.dispatchEvent(new Event("visibilitychange"));
    };
    globalThis.said = [];
    new MutationObserver(() => {
      const text = document.querySelector(".connection")?.textContent ?? "";
      if (text !== "") said.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
}

const setHidden = (page: Page, isHidden: boolean) => page.evaluate(`setHidden(${isHidden})`);
const listening = (pages: readonly Page[]) =>
  Promise.all(pages.map((page) => page.locator(".connection[data-stream=connected]").count())).then((counts) =>
    counts.reduce((sum, count) => sum + count, 0),
  );

async function send(page: Page, text: string): Promise<void> {
  await page.locator("#prompt").fill(text);
  await page.locator("#prompt").press("Enter");
}

const tabsCount = 8;

test(`${tabsCount} tabs: the one in front works, one of the hidden ones listens, and each shows what it missed`, async () => {
  const { context, page: first } = await visit(browser, server.link);
  await saysWhatIsSeen(context);
  await first.reload();
  await send(first, "One");
  await first.getByText("Answer 1.").first().waitFor();
  const tabs = [first];
  for (let count = 2; count <= tabsCount; count += 1) {
    const before = tabs.at(-1) ?? first;
    await before.locator("#prompt").fill(`Draft ${count - 1}`);
    await setHidden(before, true);
    const tab = await context.newPage();
    await tab.goto(first.url());
    await tab.getByText("Answer 1.").first().waitFor();
    tabs.push(tab);
  }
  const [, , third, , fifth, , , last] = tabs as [Page, Page, Page, Page, Page, Page, Page, Page];
  await send(last, "Two");
  await last.getByText("Answer 2.").first().waitFor();
  expect(await listening(tabs)).toBe(2);
  await setHidden(last, true);
  await expect.poll(() => listening(tabs)).toBe(1);

  await setHidden(third, false);
  await third.getByText("Answer 2.").first().waitFor();
  expect(await third.locator("#prompt").inputValue()).toBe("Draft 3");
  await send(third, "Three");
  const permission = third.getByRole("dialog", { name: "Permission" });
  await permission.waitFor();
  await setHidden(third, true);
  // The one that listened is closed, and somebody has to be there for the question.
  await first.close();
  const left = tabs.slice(1);
  await expect.poll(() => listening(left)).toBe(1);

  await setHidden(fifth, false);
  const asked = fifth.getByRole("dialog", { name: "Permission" });
  await asked.waitFor();
  await expect.poll(() => asked.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await asked.getByRole("button", { name: "Allow once" }).click();
  await fifth.getByText("Answer 3.").first().waitFor();
  // Nobody else asks any more.
  await setHidden(third, false);
  await third.getByText("Answer 3.").first().waitFor();
  expect(await third.getByRole("dialog").count()).toBe(0);
  for (const tab of left) expect(await tab.evaluate("said")).toEqual([]);
});
