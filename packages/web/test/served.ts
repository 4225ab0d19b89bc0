/** What a page shows of a session beside what its server has of it. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { WebServer } from "./web-site.ts";

const shown = (page: Page) => page.locator(".row article").allInnerTexts();

/** No run is under way. */
export const atRest = (page: Page) =>
  expect.poll(() => page.getByRole("button", { name: "Interrupt" }).count()).toBe(0);

export async function send(page: Page, text: string): Promise<void> {
  await page.locator("#prompt").fill(text);
  await page.locator("#prompt").press("Enter");
}

/** The last message, which alone is drawn where it is long. */
export const lastShown = async (page: Page) => plain((await shown(page)).at(-1) ?? "");

/** As many as are drawn whatever else stands between them. */
const newest = (texts: readonly string[]) => texts.slice(-10);

/** However they were cut before: without anybody doing anything, they are whole again, and say so. */
export async function showWhatIsServed(
  pages: readonly [Page, ...Page[]],
  { url }: Pick<WebServer, "url">,
): Promise<void> {
  for (const page of pages) {
    await atRest(page);
    await expect.poll(() => page.locator(".connection[data-stream=connected]:not(:has(p))").count()).toBe(1);
  }
  const [first] = pages;
  const id = new URL(first.url()).pathname.split("/").at(-1);
  // Asked again each time: a prompt that was just sent may be on its way to the server.
  const compare = async (page: Page) => {
    const answer = await first.request.get(`${url}/session/${id}/message?limit=100`);
    const { messages } = (await answer.json()) as { readonly messages: readonly Served[] };
    const served = newest(messages.map(({ parts }) => plain(parts.map(({ text = "" }) => text).join(""))));
    const texts = newest((await shown(page)).map(plain));
    const at = served.findIndex((text, index) => texts[index]?.includes(text) !== true);
    const isSame = served.length > 0 && served.length === texts.length && at === -1;
    return isSame ? "as served" : { served: brief(served, at), texts: brief(texts, at) };
  };
  for (const page of pages) await expect.poll(() => compare(page)).toBe("as served");
}

export const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The message that differs, of a long one its end. */
const brief = (texts: readonly string[], at: number) => [texts.length, at, texts[at]?.slice(-200)];

type Served = { readonly parts: readonly { readonly text?: string }[] };
