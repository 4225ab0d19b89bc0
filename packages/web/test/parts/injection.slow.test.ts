/** Proves in real Chromium that no text of a message becomes script, a request to elsewhere, or a dialog. */
import type { MessageView } from "@kedge/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../web-site.ts";
import { payloads } from "./injection-payloads.ts";
import { channelsWith } from "./message-samples.ts";
import type { PartsPage } from "./parts-app.tsx";
import { openPartsSite, type PartsSite } from "./parts-site.ts";

let browser: Browser;
let bare: PartsSite;

beforeAll(async () => {
  browser = await openBrowser();
  // Without the policy of the app, so that the parts have to be safe by themselves.
  bare = await openPartsSite({ hasPolicy: false });
});

afterAll(async () => {
  await browser?.close();
  await bare?.close();
});

declare const partsPage: PartsPage;

async function show(page: Page, shown: readonly MessageView[]): Promise<void> {
  await page.evaluate((json) => partsPage.show(JSON.parse(json)), JSON.stringify(shown));
  await expect.poll(() => page.locator("article").count()).toBe(shown.length);
}

const messages: readonly MessageView[] = payloads.flatMap((payload) => Object.values(channelsWith(payload)));

async function open(): Promise<{ readonly page: Page; readonly events: string[] }> {
  const page = await browser.newPage();
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => events.push(`error ${String(error)}`));
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(bare.url) || request.url().startsWith("data:image/png");
    if (!isOwn && request.url() !== "data:,") events.push(`request ${request.url()}`);
  });
  await page.exposeFunction("pwned", () => void events.push("script ran"));
  await page.goto(bare.url);
  return { page, events };
}

/** What of a page did not come from the parts: elements, attributes, classes and addresses. */
async function strangers(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const elements = new Set(
      "ARTICLE DIV P SPAN A STRONG EM DEL CODE PRE BR HR UL OL LI BLOCKQUOTE TABLE THEAD TBODY TR TH TD FIGURE FIGCAPTION IMG DETAILS SUMMARY DL DT DD MARK H2".split(
        " ",
      ),
    );
    const attributes = new Set(
      "class dir href target rel referrerpolicy src alt loading open role aria-label aria-hidden tabindex colspan scope start title key".split(
        " ",
      ),
    );
    const roles = new Set(["img", "group", "separator"]);
    const found = new Set<string>();
    for (const element of document.querySelectorAll("article, article *")) {
      if (!elements.has(element.tagName)) found.add(`element ${element.tagName}`);
      for (const { name, value } of element.attributes) {
        if (!attributes.has(name)) found.add(`attribute ${name} of ${element.tagName}`);
        if (name === "href" && !/^(?:https?|mailto):/.test(value)) found.add(`address ${value}`);
        if (name === "href" && element.getAttribute("rel") !== "noopener noreferrer nofollow")
          found.add(`referrer ${value}`);
        if (name === "src" && !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value)) found.add(`picture ${value}`);
        if (name === "role" && !roles.has(value)) found.add(`role ${value}`);
        if (name === "class" && /dialog|permission|modal/.test(value)) found.add(`class ${value}`);
      }
    }
    return [...found];
  });
}

test(`${payloads.length} payloads in ${messages.length} messages stay text in the app`, async () => {
  expect(payloads.length).toBeGreaterThan(60);
  const { page, events } = await open();
  await show(page, messages);
  // Folded content is in the page as well; opened, every picture and frame would load.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await strangers(page)).toEqual([]);
  expect(events).toEqual([]);
});

test("and in an exported page", async () => {
  const { page, events } = await open();
  const text = await page.evaluate((json) => partsPage.asText(JSON.parse(json)), JSON.stringify(messages));
  await page.setContent(`<!doctype html><html lang="en"><title>x</title><body>${text}`, { waitUntil: "load" });
  await expect.poll(() => page.locator("article").count()).toBe(messages.length);
  expect(await strangers(page)).toEqual([]);
  expect(events).toEqual([]);
});

test("a link shows who answers behind it", async () => {
  const { page } = await open();
  const link = "[github.com](https://github.com@elsewhere.invalid/) and [shop](https://аpple.com/)";
  await show(page, Object.values(channelsWith(link)).slice(0, 1));
  expect(await page.locator(".host").allTextContents()).toEqual(["elsewhere.invalid", "xn--pple-43d.com"]);
});

test("characters that reorder or hide text are shown as what they are", async () => {
  const { page } = await open();
  const text = "a\u202eb\u200bc\u2066d 👨‍👩‍👧 نمی\u200cخواهم";
  await show(page, Object.values(channelsWith(text)).slice(0, 1));
  expect(await page.locator("article").textContent()).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+2066⟩d 👨‍👩‍👧 نمی\u200cخواهم");
});

test("a message cannot lie over the page, whatever it contains", async () => {
  const { page } = await open();
  const covers = payloads.filter((payload) => /dialog|popover|position:fixed/.test(payload));
  await show(
    page,
    covers.flatMap((payload) => Object.values(channelsWith(payload))),
  );
  const places = await page.evaluate(() => {
    const found = new Set<string>();
    for (const element of document.querySelectorAll("article *")) {
      const { position, zIndex } = getComputedStyle(element);
      if (position !== "static" || zIndex !== "auto") found.add(`${element.tagName} ${position} ${zIndex}`);
    }
    return [...found];
  });
  expect(covers.length).toBeGreaterThan(3);
  expect(places).toEqual([]);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.getByRole("button", { name: /allow/i }).count()).toBe(0);
});
