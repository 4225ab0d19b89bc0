/** Proves what a first visit costs and from where it comes: bytes, requests, one origin, a policy that forbids the rest. */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite(() => ({ text: "Hello." }));
  server = await site.start();
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test("the first load is at most 100 KB as gzip in at most 25 requests, all of them to the server", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies: Promise<number>[] = [];
  const others: string[] = [];
  let requests = 0;
  page.on("response", (response) => {
    requests += 1;
    const { origin, pathname } = new URL(response.url());
    if (origin !== server.url) others.push(response.url());
    const isFile = pathname === "/" || pathname.startsWith("/app");
    if (isFile) bodies.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(server.link);
  await page.locator("[data-stream=connected]").waitFor({ state: "attached" });
  await page.locator("#prompt").waitFor();
  const bytes = (await Promise.all(bodies)).reduce((sum, each) => sum + each, 0);
  process.stdout.write(`first load: ${bytes} bytes as gzip, ${requests} requests\n`);
  expect({ isSmall: bytes <= 100 * 1024, isFew: requests <= 25, others }).toEqual({
    isSmall: true,
    isFew: true,
    others: [],
  });
  await context.close();
});

test("the page forbids what is inline or from elsewhere, and files that are named by content are kept for good", async () => {
  const page = await fetch(`${server.url}/app/session/x`);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(page.headers.get("cache-control")).toBe("no-cache");
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toContain("unsafe");
  const [, script = ""] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
  const file = await fetch(`${server.url}${script}`);
  expect([file.status, file.headers.get("cache-control"), file.headers.get("content-type")]).toEqual([
    ...[200, "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"],
  ]);
  const same = await fetch(`${server.url}/app`, { headers: { "if-none-match": page.headers.get("etag") ?? "" } });
  expect(same.status).toBe(304);
  for (const path of ["/app/assets/none-12345678.js", "/app/assets/index.html", "/app/assets/%2e%2e%2findex.html"]) {
    expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 404]);
  }
});

test("no script of a page runs that came in as text", async () => {
  const { page, problems } = await visit(browser, server.link.replace(/#.*/, "#code=<img src=x onerror=alert(1)>"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(problems).toEqual([]);
});
