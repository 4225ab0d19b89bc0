/** Whether everybody can use what a page shows: axe-core on the whole of it, narrow and wide, light and dark. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env["KEDGE_PICTURES"];
const widths = [360, 768, 1_440];

/** The whole page at each width, light and dark, with nothing that has to be scrolled sideways. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
      const sentences = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any, all }) => `${id}: ${target} ${[...any, ...all][0]?.message}`),
      );
      expect([name, width, colorScheme, sentences]).toEqual([name, width, colorScheme, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
    }
  }
}
