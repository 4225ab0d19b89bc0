/**
 * Proves that two tabs and a terminal on one session show the same, whatever stands between them and the server: a proxy
 * that cuts characters in two, one that keeps event streams to itself, and a connection that is too slow for the answer.
 */
import { dirname, join } from "node:path";
import { openScreenTerminal, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ByteProxy, openProxy } from "./proxy.ts";
import { atRest, lastShown, plain, send, showWhatIsServed } from "./served.ts";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let proxy: ByteProxy;
let terminal: ScreenTerminal | undefined;
let answerOf: (count: number) => string;

beforeEach(async () => {
  browser = await openBrowser();
  proxy = await openProxy();
  let count = 0;
  const answer = () => {
    count += 1;
    return { text: answerOf(count), deltaCharacters: 8 };
  };
  site = await openSite(
    ({ body }) => {
      const asked = JSON.stringify(body.messages?.findLast(({ role }) => role === "user") ?? "");
      const isAnswered = body.messages?.at(-1)?.role === "tool";
      if (!asked.includes("Write a file") || isAnswered) return answer();
      return { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "hello\n" } }] };
    },
    { server: { hosts: [`127.0.0.1:${proxy.port}`] } },
  );
  server = await site.start();
  proxy.target = Number(new URL(server.url).port);
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await browser?.close();
  await proxy?.close();
  await site?.close();
});

const throughProxy = (address: string) => address.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
const sessionOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

function attach(sessionId: string): Promise<ScreenTerminal> {
  const added = site.run(["token", "add", "me", "--scope", "approve", "--ttl", "1h", "--json"]);
  const { token } = JSON.parse(added) as { readonly token: string };
  const program = join(import.meta.dirname, "../../../dist/kedge.js");
  const words = ["attach", throughProxy(server.url), "--token", token, "--resume", sessionId];
  return openScreenTerminal({
    ...{ command: process.execPath, arguments: [program, ...words], cwd: site.project, columns: 120, rows: 40 },
    environment: { PATH: process.env["PATH"] ?? "", HOME: dirname(site.home), KEDGE_HOME: site.home },
  });
}

test("two tabs and a terminal show the same through a proxy that passes bytes on in small pieces", async () => {
  answerOf = (count) => `Answer ${count}: grüße 👩‍🚀 日本語. `.repeat(30);
  const { page, context, problems } = await visit(browser, throughProxy(server.link));
  proxy.pieceBytes = 997;
  await send(page, "From the first tab");
  await page.getByText("Answer 1:").first().waitFor();
  await atRest(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByText("Answer 1:").first().waitFor();
  terminal = await attach(sessionOf(page));
  const wait = Number(process.env["KEDGE_WEB_TEST_TIMEOUT_MS"] ?? 90_000);
  await terminal.shows("Answer 1:", wait);
  await send(second, "From the second tab");
  await terminal.shows("Answer 2:", wait);
  terminal.type("Write a file");
  terminal.press("enter");
  // All three ask; whoever answers answers for all.
  await terminal.shows("Write a.txt?", wait);
  for (const each of [page, second]) await each.getByRole("dialog", { name: "Permission" }).waitFor();
  proxy.cut();
  const asked = second.getByRole("dialog", { name: "Permission" });
  await expect.poll(() => asked.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await asked.getByRole("button", { name: "Allow once" }).click();
  await terminal.shows("Answer 3:", wait);
  for (const each of [page, second]) {
    await each.getByText("Answer 3:").first().waitFor();
    expect(await each.getByRole("dialog").count()).toBe(0);
  }
  await showWhatIsServed([page, second], server);
  expect(problems).toEqual([]);
});

test("behind a proxy that keeps event streams a page says that it is not connected, and goes on when it may", async () => {
  answerOf = (count) => `Answer ${count}.`;
  proxy.holdsStreams = true;
  const context = await browser.newContext();
  context.setDefaultTimeout(Number(process.env["KEDGE_WEB_TEST_TIMEOUT_MS"] ?? 90_000));
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(throughProxy(server.link));
  await page.locator("#prompt").waitFor();
  expect(await page.locator(".connection").getAttribute("data-stream")).toBe("connecting");
  // Two heartbeats of ten seconds.
  await page.clock.fastForward(20_000);
  await expect.poll(() => page.locator(".connection").getAttribute("data-stream")).toBe("lost");
  await send(page, "One");
  await page.getByText("Not connected. The prompt is kept as a draft.").waitFor();
  proxy.holdsStreams = false;
  await page.clock.fastForward(20_000);
  await expect.poll(() => page.locator(".connection").getAttribute("data-stream")).toBe("connected");
  await page.locator("#prompt").press("Enter");
  await page.getByText("Answer 1.").first().waitFor();
  await showWhatIsServed([page], server);
});

test("a tab on a slow connection holds up neither the answer nor another tab, and ends with all of it", async () => {
  const paragraph = (_: unknown, at: number) => Array.from({ length: 100 }, (__, index) => `w${at}.${index}`).join(" ");
  const words = Array.from({ length: 1_000 }, paragraph).join("\n\n");
  answerOf = (count) => (count === 1 ? "Ready." : `${words}\n\nThe end.`);
  const { page, context, problems } = await visit(browser, server.link);
  await send(page, "Begin");
  await page.getByText("Ready.").first().waitFor();
  await atRest(page);
  const slow = await context.newPage();
  await slow.goto(throughProxy(page.url()));
  await slow.getByText("Ready.").first().waitFor();
  // 64 KB a second: the frames of the answer have several megabytes.
  Object.assign(proxy, { pieceBytes: 6_400, delayMs: 100 });
  await send(page, "A long one");
  await page.getByText("The end.").first().waitFor();
  await atRest(page);
  expect(await slow.getByText("The end.").count()).toBe(0);
  Object.assign(proxy, { pieceBytes: Number.POSITIVE_INFINITY, delayMs: 0 });
  await slow.getByText("The end.").first().waitFor();
  await atRest(slow);
  const whole = plain(answerOf(2));
  for (const each of [page, slow]) {
    const text = await lastShown(each);
    expect([text.length >= whole.length, text.includes(whole)]).toEqual([true, true]);
  }
  expect(problems).toEqual([]);
});
