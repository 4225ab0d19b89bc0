/** Proves that every part is accessible in every theme, with enough contrast, at the width of a phone and of a desk. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../web-site.ts";
import { conversation } from "./conversation-sample.ts";
import type { PartsPage } from "./parts-app.tsx";
import { openPartsSite, type PartsSite } from "./parts-site.ts";

let browser: Browser;
let site: PartsSite;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

beforeAll(async () => {
  browser = await openBrowser();
  site = await openPartsSite({ hasPolicy: true });
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

declare const partsPage: PartsPage;

const themes = [
  "kedge-light",
  "kedge-dark",
  "high-contrast-light",
  "high-contrast-dark",
  "colorblind-light",
  "colorblind-dark",
].concat(["ember", "fjord", "parchment"]);

test.for(themes)("%s", async (theme) => {
  const width = theme.endsWith("light") ? 360 : 1_024;
  const page = await browser.newPage({ viewport: { width, height: 1_000 } });
  await page.goto(`${site.url}?theme=${theme}`);
  await page.evaluate((json) => partsPage.show(JSON.parse(json)), JSON.stringify(conversation));
  await expect.poll(() => page.locator(".syntaxKeyword").count()).toBeGreaterThan(0);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const found = await page.evaluate(`${axe}; axe.run()`);
  const { violations } = found as AxeResults;
  const sentences = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`),
  );
  expect(sentences).toEqual([]);
  const isTooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isTooWide).toBe(false);
  const folder = process.env["KEDGE_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `parts-${theme}.png`), fullPage: true });
  await page.close();
});
