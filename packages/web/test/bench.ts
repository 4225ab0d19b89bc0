/** Measures the web app in Chromium against the built program: first paint, a long session, and a fast stream. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { paced, startPacedModel } from "@kedge/testing/screen-terminal";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

const messages = 10_000;
const rounds = 5;
const deltas = 40_000;
const deltasPerSecond = 10_000;
const deltaCharacters = 4;

type Row = { readonly what: string; readonly measured: number; readonly limit: number; readonly unit: string };

async function main(): Promise<void> {
  const browser = await openBrowser();
  const turn = { text: streamedText(), deltaCharacters };
  const model = await startPacedModel(({ body }) => {
    const isPaced = JSON.stringify(body.messages?.findLast(({ role }) => role === "user")).includes("Paced");
    return isPaced ? paced(turn, deltasPerSecond) : turn;
  });
  const models = { "mock-model": { contextTokens: 1_000_000 } };
  const mock = { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-bench", models };
  const site = await openSite([], { provider: { mock } });
  try {
    const server = await site.start();
    const { page } = await visit(browser, server.link);
    tell(await measureStart(browser, page, server));
    tell(await measureStream(page, server));
    tell(await measureLong(page, site, server));
  } finally {
    await browser.close();
    await site.close();
    await model.close();
  }
}

function tell(rows: readonly Row[]): void {
  for (const { what, measured, limit, unit } of rows) {
    const isMet = /^(?:frames|deltas)/.test(what) ? measured >= limit : measured <= limit;
    process.stdout.write(`${isMet ? "ok    " : "MISSED"} ${what}: ${measured.toFixed(1)} ${unit} (${limit})\n`);
  }
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
const at95 = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0;

/** Runs in every page from its beginning: notes when what is waited for is there. */
function noteReady(selector: string): void {
  const look = () => {
    const isThere = document.querySelector(selector) !== null;
    if (isThere && document.querySelector("[data-stream=connected]") !== null)
      (window as unknown as { readyAtMs: number }).readyAtMs = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

async function opened(page: Page, address: string): Promise<{ readonly paintMs: number; readonly readyMs: number }> {
  await page.goto(address);
  await page.waitForFunction(() => "readyAtMs" in window);
  return page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    readyMs: (window as unknown as { readyAtMs: number }).readyAtMs,
  }));
}

async function measureStart(browser: Browser, first: Page, server: WebServer): Promise<readonly Row[]> {
  const cold: { paintMs: number; readyMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The same cookie without anything in the cache.
    const context = await browser.newContext({ storageState: await first.context().storageState() });
    const page = await context.newPage();
    await page.addInitScript(noteReady, "#prompt:not(:disabled)");
    cold.push(await opened(page, `${server.url}/app`));
    await context.close();
  }
  return [
    { what: "first paint, empty cache", measured: median(cold.map(({ paintMs }) => paintMs)), limit: 300, unit: "ms" },
    { what: "interactive, empty cache", measured: median(cold.map(({ readyMs }) => readyMs)), limit: 700, unit: "ms" },
  ];
}

async function measureLong(first: Page, site: WebSite, server: WebServer): Promise<readonly Row[]> {
  const project = await (await first.request.get(`${server.url}/project`)).json();
  const sessionId = "ses_0mwls8vkq00001y7bzbench";
  const written = { data: join(site.home, "data"), sessionId, messages };
  const place = { directory: project.directory, projectId: project.projectId, model: "mock/mock-model" };
  const script = join(import.meta.dirname, "../../../scripts/write-long-session.ts");
  execFileSync(process.execPath, [script, JSON.stringify({ ...written, place })]);
  const opens: number[] = [];
  let page = first;
  for (let round = 0; round < rounds; round += 1) {
    page = await first.context().newPage();
    await page.addInitScript(noteReady, ".row article");
    opens.push((await opened(page, `${server.url}/app/session/${sessionId}`)).readyMs);
    if (round + 1 < rounds) await page.close();
  }
  const scrolled = await page.evaluate(scrollThrough, 300);
  await page.evaluate(scrollToTop);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devTools.send("Runtime.getHeapUsage");
  await page.close();
  return [
    { what: `open ${messages} messages`, measured: median(opens), limit: 1_000, unit: "ms" },
    { what: "frames while scrolling", measured: 1_000 / median(scrolled), limit: 59, unit: "per second" },
    { what: "frames while scrolling, slowest of 20", measured: 1_000 / at95(scrolled), limit: 55, unit: "per second" },
    { what: "heap with all messages loaded", measured: usedSize / 1_048_576, limit: 150, unit: "MB" },
  ];
}

/** Runs in the page: moves the conversation with every frame, and gives back how long each took. */
function scrollThrough(frames: number): Promise<readonly number[]> {
  const place = document.querySelector(".transcript");
  const taken: number[] = [];
  return new Promise((resolve) => {
    let before = performance.now();
    const step = (now: number) => {
      taken.push(now - before);
      before = now;
      if (place !== null) place.scrollTop -= 60;
      if (taken.length < frames) requestAnimationFrame(step);
      else resolve(taken.slice(2));
    };
    requestAnimationFrame(step);
  });
}

/** Runs in the page: goes to the top again and again, until nothing older is left. */
async function scrollToTop(): Promise<void> {
  const place = document.querySelector(".transcript");
  while (place !== null && document.querySelector(".older") !== null) {
    place.scrollTop = 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
    place.scrollTop = 300;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function streamedText(): string {
  const section = (number: number) =>
    `## Part ${number}\n\nSome **words** about part ${number} with \`code\` and more words.\n\n- one\n- two\n\n` +
    `\`\`\`ts\nexport const value${number} = ${number};\n\`\`\`\n\n`;
  return Array.from({ length: (deltas * deltaCharacters) / 130 }, (_, index) => section(index)).join("");
}

/** As fast as it goes, and at the pace of the limit: keys are pressed while that answer streams. */
async function measureStream(page: Page, server: WebServer): Promise<readonly Row[]> {
  const fast = await stream(page, server, "Fast");
  const { delays } = await stream(page, server, "Paced");
  process.stdout.write(`${delays.length} keys, the slowest after ${Math.max(...delays).toFixed(0)} ms\n`);
  return [
    {
      what: "deltas through the server",
      measured: streamedText().length / deltaCharacters / fast.seconds,
      limit: 10_000,
      unit: "per second",
    },
    { what: "input delay while streaming, p95", measured: at95(delays), limit: 50, unit: "ms" },
  ];
}

type Streamed = { readonly seconds: number; readonly delays: readonly number[] };

/** The delay of a key is from the key to the first line of code that sees it. */
async function stream(page: Page, server: WebServer, words: string): Promise<Streamed> {
  await page.goto(`${server.url}/app`);
  await page.evaluate(() => {
    const delays: number[] = [];
    (window as unknown as { delays: number[] }).delays = delays;
    addEventListener("keydown", (event) => delays.push(performance.now() - event.timeStamp), { capture: true });
  });
  const prompt = page.locator("#prompt");
  await prompt.fill(words);
  const begunAtMs = performance.now();
  await prompt.press("Enter");
  // By its class: a look for its role goes through the whole page, and takes longer than what is measured.
  const interrupt = page.locator("button.stop");
  await interrupt.waitFor();
  while ((await interrupt.count()) > 0) await page.keyboard.press("x");
  const seconds = (performance.now() - begunAtMs) / 1_000;
  return { seconds, delays: await page.evaluate(() => (window as unknown as { delays: number[] }).delays) };
}

await main();
