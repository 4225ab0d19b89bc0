/** Proves that a phone in the same network leads a session: real Chromium in another network namespace, over TLS. */
import { createHash, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type MockRequest,
  type MockTurn,
  type OtherMachine,
  openOtherMachine,
  whyNoOtherMachine,
} from "@kedge/testing";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { openBrowser, openSite, type ReachedServer, type WebServer, type WebSite } from "./web-site.ts";

/** Runs in the service worker. */
async function listNotifications(): Promise<readonly object[]> {
  const { registration } = globalThis as unknown as { readonly registration: ServiceWorkerRegistration };
  return (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data }));
}

const phone = { width: 390, height: 800 };
const why = whyNoOtherMachine();
const suite = `a phone in another network namespace${why === undefined ? "" : ` (skipped: ${why})`}`;

describe.skipIf(why !== undefined)(suite, () => {
  let machine: OtherMachine;
  let site: WebSite;
  let server: WebServer;
  let reach: ReachedServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  const writesOnce = ({ body }: MockRequest): MockTurn =>
    body.messages?.some(({ role }) => role === "tool") === true
      ? { text: "Written." }
      : { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "hello\n" } }] };
  const argv = (port: string) => ["--port", port, "--lan", "--hostname", machine.hostAddress];

  beforeAll(async () => {
    machine = await openOtherMachine();
    site = await openSite(writesOnce);
    server = await site.start(argv("0"));
    if (server.reach === undefined) throw new Error("not reached");
    reach = server.reach;
    browser = await openPhone();
    context = await browser.newContext({ viewport: phone, permissions: ["notifications"] });
    page = await context.newPage();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await machine?.close();
  });

  /** It accepts the key of this server and no other, as a person does who compared the fingerprint. */
  async function openPhone(): Promise<Browser> {
    const certificate = new X509Certificate(readFileSync(join(site.home, "reach", `${machine.hostAddress}.crt`)));
    const program = join(site.home, "phone.sh");
    const chromium = process.env["KEDGE_CHROMIUM"] ?? "/usr/bin/chromium";
    writeFileSync(program, `#!/bin/sh\nexec ${machine.wordsFor([chromium]).join(" ")} "$@"\n`);
    chmodSync(program, 0o755);
    const key = certificate.publicKey.export({ type: "spki", format: "der" });
    const digest = createHash("sha256").update(key).digest("base64");
    return openBrowser({ program, words: [`--ignore-certificate-errors-spki-list=${digest}`] });
  }

  test("it is paired by the link of the terminal, and gets a cookie that no script reads", async () => {
    await page.goto(reach.pairing.link);
    await page.getByRole("heading", { name: "Pair this device" }).waitFor();
    expect(page.url()).toBe(`${reach.url}/app/pair`);
    expect(await page.locator(".pair-fingerprint").textContent()).toBe(reach.fingerprint);
    expect(await page.getByLabel("Pairing code").inputValue()).toBe(reach.pairing.code);
    await expectAccessible(page, "pair");
    await page.setViewportSize(phone);
    await page.getByLabel("Pairing code").fill("AAAA-AAAA");
    await page.getByLabel("Name of this device").fill("Phone");
    await page.getByRole("button", { name: "Pair" }).click();
    await page.getByText("The pairing code is wrong, already used, or expired.").waitFor();
    await page.getByLabel("Pairing code").fill(reach.pairing.code.toLowerCase());
    await page.getByRole("button", { name: "Pair" }).click();
    await page.locator("[data-stream=connected]").waitFor({ state: "attached" });
    const [cookie] = await context.cookies();
    const { httpOnly, secure, sameSite } = cookie ?? {};
    expect({ httpOnly, secure, sameSite }).toEqual({ httpOnly: true, secure: true, sameSite: "Strict" });
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(site.run(["devices", "list"])).toContain("Phone");
    await page.goto(`${reach.url}/app/devices`);
    await page.getByText("Phone").first().waitFor();
    await expectAccessible(page, "devices");
    await page.setViewportSize(phone);
    await page.goto(`${reach.url}/app`);
    await page.locator("[data-stream=connected]").waitFor({ state: "attached" });
  });

  test("it prompts, and answers the permission question", async () => {
    await page.locator("#prompt").fill("Write a.txt");
    await page.locator("#prompt").press("Enter");
    const question = page.getByRole("dialog", { name: "Permission" });
    await question.getByText("Write a.txt?").waitFor();
    expect(existsSync(join(site.project, "a.txt"))).toBe(false);
    // What was pressed for something else is no answer: it counts after a pause.
    await expect.poll(() => question.locator(".choices").getAttribute("aria-busy")).toBe("false");
    await question.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Written.").waitFor();
    expect(readFileSync(join(site.project, "a.txt"), "utf8")).toBe("hello\n");
  });

  test("a notice is shown by the service worker, with its title and nothing else", async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const session = await context.newCDPSession(page);
    const registered = Promise.withResolvers<string>();
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) registered.resolve(first.registrationId);
    });
    await session.send("ServiceWorker.enable");
    const [worker] = context.serviceWorkers();
    if (worker === undefined) throw new Error("no service worker");
    const push = async (name: string) =>
      session.send("ServiceWorker.deliverPushMessage", {
        ...{ origin: reach.url, registrationId: await registered.promise },
        data: JSON.stringify({ title: name, link: "/app/session/ses_1", text: "secret" }),
      });
    const shown = () => worker.evaluate(listNotifications);
    await push("Seen on the page");
    // Whoever looks at the page needs no notice, so it is left.
    const address = page.url();
    await page.goto("about:blank");
    await push("Permission needed");
    await expect.poll(shown).toEqual([{ title: "Permission needed", body: "", data: "/app/session/ses_1" }]);
    await page.goto(address);
  });

  test("without the server it shows the shell, and nothing of a session was kept", async () => {
    const { pathname } = new URL(page.url());
    // The files that this page used are kept once the worker answers for it.
    await page.reload();
    await page.locator("[data-stream=connected]").waitFor({ state: "attached" });
    await server.stop();
    await page.goto(`${reach.url}${pathname}`);
    await page.locator("#app .app").waitFor({ state: "attached" });
    expect(await page.locator("[data-stream=connected]").count()).toBe(0);
    expect(await page.getByText("Written.").count()).toBe(0);
    const kept = await page.evaluate(async () => {
      const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      return (await Promise.all(opened.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain("/app");
    expect(kept.filter((path) => path !== "/app" && !path.startsWith("/app/assets/"))).toEqual([]);
    const asked = await page.evaluate(() =>
      fetch("/session").then(
        ({ status }) => status,
        () => "no answer",
      ),
    );
    expect(asked).toBe("no answer");
  });

  test("after a restart of the server it is still paired, and revoking it ends it at once", async () => {
    server = await site.start(argv(new URL(reach.url).port));
    expect(server.reach?.fingerprint).toBe(reach.fingerprint);
    await page.goto(`${reach.url}/app`);
    await page.locator("[data-stream=connected]").waitFor({ state: "attached" });
    const [device] = JSON.parse(site.run(["devices", "list", "--json"])) as readonly { readonly name: string }[];
    expect(device).toMatchObject({ name: "Phone", scope: "approve", isNotified: false });
    expect(site.run(["devices", "revoke", "Phone"])).toContain("Its connections are closed.");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const asked = await page.evaluate(() => fetch("/session").then(({ status }) => status));
    expect(asked).toBe(401);
    await page.getByRole("link", { name: "Pair this device" }).click();
    await page.getByRole("heading", { name: "Pair this device" }).waitFor();
  });
});
