/**
 * Proves that the page never lies about being connected and never loses anything: its cable pulled, cut at random, held
 * back by a proxy and restarted under it, it shows what the server has.
 */
import { createSeededRandom, rounds } from "@kedge/testing";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ByteProxy, openProxy } from "./proxy.ts";
import { atRest, send, showWhatIsServed } from "./served.ts";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let proxy: ByteProxy;
const seed = Number(process.env["KEDGE_TEST_SEED"] ?? 1);

beforeEach(async () => {
  browser = await openBrowser();
  proxy = await openProxy();
  const hosts = [`127.0.0.1:${proxy.port}`];
  let count = 0;
  const answer = () => {
    count += 1;
    return { text: `Answer ${count}. `.repeat(20) };
  };
  site = await openSite(answer, { server: { hosts } });
  server = await site.start();
  proxy.target = Number(new URL(server.url).port);
});

afterEach(async () => {
  await browser?.close();
  await proxy?.close();
  await site?.close();
});

const throughProxy = (link: string) => link.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
const stream = (page: Page) => page.locator(".connection").getAttribute("data-stream");
test("a cable that is pulled shows within two heartbeats; what is typed meanwhile is kept", async () => {
  const { page } = await visit(browser, throughProxy(server.link), { hasClock: true });
  await send(page, "One");
  await page.getByText("Answer 1.").first().waitFor();
  await atRest(page);
  proxy.freeze();
  // Two heartbeats of ten seconds.
  await page.clock.fastForward(20_000);
  await expect.poll(() => stream(page)).toBe("lost");
  await page.getByText("Connection lost. Reconnecting… Your draft is kept.").waitFor();
  await send(page, "Two");
  await page.getByText("Not connected. The prompt is kept as a draft.").waitFor();
  expect(await page.locator("#prompt").inputValue()).toBe("Two");
  proxy.thaw();
  await page.clock.fastForward(10_000);
  await expect.poll(() => stream(page)).toBe("connected");
  await page.locator("#prompt").press("Enter");
  await page.getByText("Answer 2.").first().waitFor();
});

test("a machine that slept shows what happened meanwhile, although its connections died without a word", async () => {
  const { page } = await visit(browser, throughProxy(server.link), { hasClock: true });
  await send(page, "One");
  await page.getByText("Answer 1.").first().waitFor();
  await atRest(page);
  proxy.forget();
  const { pathname } = new URL(page.url());
  const elsewhere = { text: "From elsewhere", delivery: "follow-up", options: {} };
  const sent = await page.request.post(`${server.url}/session/${pathname.split("/").at(-1)}/prompt_async`, {
    data: elsewhere,
    headers: { origin: server.url },
  });
  expect(sent.status()).toBe(202);
  // No timer runs while a machine sleeps; afterwards it is an hour later.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByText("From elsewhere").first().waitFor();
  await page.getByText("Answer 2.").first().waitFor();
  await send(page, "Three");
  await page.getByText("Answer 3.").first().waitFor();
});

test(`cut at random and held back by a proxy, two tabs show what the server has (seed ${seed})`, async () => {
  const random = createSeededRandom(String(seed));
  const { page, context: tabs, problems } = await visit(browser, throughProxy(server.link));
  await send(page, "Begin");
  await page.getByText("Answer 1.").first().waitFor();
  const second = await tabs.newPage();
  await second.goto(page.url());
  await second.locator("#prompt").waitFor();
  const both = [page, second] as const;
  for (let round = 1; round <= rounds({ usual: 12, long: 200 }); round += 1) {
    proxy.delayMs = random.below(3) === 0 ? 20 : 0;
    if (round % 3 === 0) await send(round % 2 === 0 ? page : second, `Prompt ${round}`);
    // Cut again before it is back, once the stream is back while the rest is still read, or at work as ever.
    if (random.below(2) === 0) await expect.poll(() => stream(random.below(2) === 0 ? page : second)).toBe("connected");
    if (round % rounds({ usual: 6, long: 20 }) === 0) await showWhatIsServed(both, server);
    proxy.cut();
  }
  await showWhatIsServed(both, server);
  for (const each of both) expect(each.url()).toBe(page.url());
  expect(problems).toEqual([]);
});

test("a server that was killed and started again is shown as lost, then asks to sign in, and nothing is missing", async () => {
  const { page } = await visit(browser, throughProxy(server.link));
  await send(page, "One");
  await page.getByText("Answer 1.").first().waitFor();
  await atRest(page);
  await page.locator("#prompt").fill("A draft");
  await server.stop("SIGKILL");
  await expect.poll(() => stream(page)).toBe("lost");
  const again = await site.start();
  proxy.target = Number(new URL(again.url).port);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Link or token").fill(again.link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => stream(page)).toBe("connected");
  expect(await page.locator("#prompt").inputValue()).toBe("A draft");
  await page.locator("#prompt").press("Enter");
  await page.getByText("Answer 2.").first().waitFor();
  await expect.poll(() => page.getByText("Answer 1.").count()).toBeGreaterThan(0);
});

test("a view, a dialog and a command that are opened without a connection come when it is back", async () => {
  const { page, problems } = await visit(browser, throughProxy(server.link));
  await send(page, "One");
  await page.getByText("Answer 1.").first().waitFor();
  await atRest(page);
  const { target } = proxy;
  // Nobody listens there: every connection is refused.
  proxy.target = 1;
  proxy.cut();
  await expect.poll(() => stream(page)).toBe("lost");
  await send(page, "/help");
  await page.getByText("Not connected. The prompt is kept as a draft.").waitFor();
  expect(await page.locator("#prompt").inputValue()).toBe("/help");
  await page.keyboard.press("Alt+m");
  await page.getByText("Connection lost. The dialog opens after reconnecting.").waitFor();
  proxy.target = target;
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => stream(page)).toBe("connected");
  await send(page, "/help");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  proxy.target = 1;
  proxy.cut();
  await expect.poll(() => stream(page)).toBe("lost");
  await page.getByRole("link", { name: "Hooks" }).click();
  await page.getByText("Connection lost. This view opens after reconnecting.").waitFor();
  proxy.target = target;
  await page.getByText("No hooks are configured.").waitFor();
  // Its code is there now, and its answer is not.
  await page.getByRole("link", { name: "Cost" }).click();
  await page.getByRole("heading", { name: "Cost" }).first().waitFor();
  proxy.target = 1;
  proxy.cut();
  await expect.poll(() => stream(page)).toBe("lost");
  await page.getByRole("link", { name: "Hooks" }).click();
  await page.getByText("Connection lost. This reloads after reconnecting.").waitFor();
  proxy.target = target;
  await page.getByText("No hooks are configured.").waitFor();
  expect([await page.getByText("out of date").count(), problems]).toEqual([0, []]);
});
