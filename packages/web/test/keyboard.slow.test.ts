/** Proves that a session is led with keys alone: every step is a key that a person presses, from the first page to undo. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openSite, visit, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite(({ body }) =>
    body.messages?.some(({ role }) => role === "tool")
      ? { text: "Written." }
      : { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "hello\n" } }] },
  );
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const stopsMax = 60;

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, role: "button" | "link" | "searchbox", name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate(isFocused)) return;
  }
  throw new Error(`Tab does not lead to the ${role} "${name}"`);
}

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

const focusIsIn = (page: Page, selector: string) =>
  expect.poll(() => page.locator(selector).evaluate(isFocused)).toBe(true);

test("a new session, a prompt, an answer, the palette, undo and redo", async () => {
  const { url, link } = await site.start();
  const { page, context, problems } = await visit(browser, link);
  const written = join(site.project, "a.txt");
  await page.goto(`${url}/app/cost`);
  await page.getByRole("heading", { level: 1, name: "Cost" }).waitFor();
  await page.keyboard.press("Tab");
  await focusIsIn(page, ".skip");
  await tabTo(page, "link", "New session");
  await page.keyboard.press("Enter");
  await focusIsIn(page, "#prompt");

  await page.keyboard.type("Write a.txt");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Permission" });
  await question.getByText("Write a.txt?").waitFor();
  await focusIsIn(page, ".choices button:first-child");
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("dialog", { name: "Commands" });
  await commands.getByRole("option").first().waitFor();
  // Neither what is typed in the list nor its Escape answers the question behind it.
  await page.keyboard.type("yn");
  await page.keyboard.press("Escape");
  await commands.waitFor({ state: "detached" });
  await focusIsIn(page, ".choices button:first-child");
  expect(existsSync(written)).toBe(false);
  await expect.poll(() => question.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await page.keyboard.press("ArrowDown");
  await focusIsIn(page, ".choices button:nth-child(2)");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("y");
  await page.getByText("Written.").first().waitFor();
  expect(readFileSync(written, "utf8")).toBe("hello\n");
  await expect.poll(() => page.getByRole("button", { name: "Interrupt" }).count()).toBe(0);
  await focusIsIn(page, "#prompt");

  await page.keyboard.press("Control+k");
  await commands.getByRole("option").first().waitFor();
  await page.keyboard.type("undo");
  await page.keyboard.press("Enter");
  await page.getByText("Undone: 1 file changed: a.txt (deleted).").waitFor();
  expect(existsSync(written)).toBe(false);
  await expect.poll(() => page.locator("#prompt").inputValue()).toBe("Write a.txt");
  await tabTo(page, "button", "Redo the last undo");
  await page.keyboard.press("Enter");
  await page.getByText("Redone: 1 file changed: a.txt (added).").waitFor();
  await page.keyboard.press("Alt+u");
  await expect.poll(() => existsSync(written)).toBe(false);
  await focusIsIn(page, "#prompt");

  await tabTo(page, "button", "Session actions");
  await page.keyboard.press("Enter");
  await focusIsIn(page, "[role=menuitem]:first-child");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: "Session actions" }).evaluate(isFocused)).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});
