/** Proves that a text that streams quickly leaves finished blocks alone and the page free to answer. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../web-site.ts";
import { answerOf } from "./message-samples.ts";
import type { PartsPage } from "./parts-app.tsx";
import { openPartsSite, type PartsSite } from "./parts-site.ts";

let browser: Browser;
let site: PartsSite;

beforeAll(async () => {
  browser = await openBrowser();
  site = await openPartsSite({ hasPolicy: true });
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

declare const partsPage: PartsPage;

const sections = 250;
const deltasPerSecond = 10_000;

/** Paragraphs, lists and code, cut into pieces of a few letters. */
function streamedText(count: number): string {
  const section = (number: number) =>
    `## Part ${number}\n\nSome **words** about part ${number} with \`code\` and more words.\n\n- one\n- two\n\n` +
    `\`\`\`ts\nexport const value${number} = ${number};\n\`\`\`\n\n`;
  return Array.from({ length: count }, (_, index) => section(index)).join("");
}

type Measured = { readonly late: number; readonly frames: number; readonly deltas: number; readonly seconds: number };

/** Runs in the page: sends pieces of the text at a rate, and counts changes inside of blocks that were settled before. */
async function stream({ json, text, perSecond }: { json: string; text: string; perSecond: number }): Promise<Measured> {
  const open = JSON.parse(json);
  const show = (written: string, isWhole: boolean) => {
    const parts = [{ ...open.parts[0], text: written }];
    partsPage.show([{ ...open, parts, ...(isWhole && { completedAt: 9_000 }) }]);
  };
  let late = 0;
  let settled = new Set<Element>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const block = element?.closest(".block");
      // Colours of code come when their grammar is loaded.
      const isCode = element?.closest("pre") !== null;
      if (block !== null && block !== undefined && settled.has(block) && !isCode) late += 1;
    }
    settled = new Set([...document.querySelectorAll(".markdown > .block")].slice(0, -2));
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const pieces = text.match(/[\s\S]{1,3}/g) ?? [];
  let written = "";
  let sent = 0;
  let frames = 0;
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const due = Math.min(pieces.length, Math.ceil(((performance.now() - started) / 1_000) * perSecond));
      for (; sent < due; sent += 1) {
        written += pieces[sent];
        show(written, false);
      }
      if (sent >= pieces.length) resolve();
      else channel.port2.postMessage(0);
    };
    const tick = () => {
      frames += 1;
      if (sent < pieces.length) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    channel.port2.postMessage(0);
  });
  const seconds = (performance.now() - started) / 1_000;
  show(written, true);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return { late, frames, deltas: pieces.length, seconds };
}

test("finished blocks are drawn once, and keys are answered meanwhile", async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.evaluate(() => {
    const field = document.createElement("input");
    const delays: number[] = [];
    document.body.prepend(field);
    field.addEventListener("input", (event) => delays.push(performance.now() - event.timeStamp));
    field.focus();
    Object.assign(globalThis, { delays });
  });
  const { completedAt: _, ...message } = answerOf("");
  let isOver = false;
  const given = { json: JSON.stringify(message), text: streamedText(sections), perSecond: deltasPerSecond };
  const streaming = page.evaluate(stream, given).finally(() => {
    isOver = true;
  });
  while (!isOver) await page.keyboard.press("a");
  const measured = await streaming;
  const delays = await page.evaluate(() => (globalThis as unknown as { delays: number[] }).delays);
  delays.sort((left, right) => left - right);
  const p95 = delays[Math.floor(delays.length * 0.95)] ?? 0;
  console.log(
    `${measured.deltas} deltas in ${measured.seconds.toFixed(2)} s, ${measured.frames} frames; ` +
      `${delays.length} keys, input delay p95 ${p95.toFixed(1)} ms`,
  );
  expect(await page.locator(".markdown > .block").count()).toBe(sections * 4);
  expect(measured.late).toBe(0);
});

test("what was streamed is what would have been drawn at once", async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  const text = streamedText(60);
  const { completedAt: _, ...open } = answerOf("");
  const shown = await page.evaluate(
    async ({ json, written }) => {
      const message = JSON.parse(json);
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let end = 97; end < written.length; end += 97) {
        partsPage.show([{ ...message, parts: [{ ...message.parts[0], text: written.slice(0, end) }] }]);
        if (end % 3 === 0) await nextFrame();
      }
      const whole = { ...message, parts: [{ ...message.parts[0], text: written }], completedAt: 9_000 };
      partsPage.show([whole]);
      await nextFrame();
      const streamed = document.querySelector("article")?.textContent;
      partsPage.show([
        { ...whole, id: "msg_other", parts: [{ ...whole.parts[0], id: "other", messageId: "msg_other" }] },
      ]);
      await nextFrame();
      return { streamed, atOnce: document.querySelector("article")?.textContent };
    },
    { json: JSON.stringify(open), written: text },
  );
  expect(shown.streamed).toBe(shown.atOnce);
});
