/** Proves that the web app opens by the link of `kedge web`, under its policy, from its own server alone. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openSite, visit, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite(() => ({ text: "Hello." }));
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test("the link opens the app", async () => {
  const server = await site.start();
  const { page, problems } = await visit(browser, server.link);
  await page.getByText("kedge").first().waitFor();
  expect(problems).toEqual([]);
});
