/** Proves what a browser shows to guests: the built relay, a session of the built program, and Chromium between them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { base64UrlOf, joinBytes, randomBytesOf } from "@kedge/protocol/room";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { openScreenTerminal } from "@kedge/testing/screen-terminal";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { openBrowser, openSite, timeoutMs, visit, type WebSite } from "./web-site.ts";

type Link = { readonly page: string; readonly join: string };
type Links = { readonly full: Link; readonly view: Link };

let browser: Browser;
let site: WebSite;
let relay: { readonly url: string; readonly process: ChildProcess };
/** The page of the owner, signed in at the server. */
let host: Page;
let sessionId: string;
let links: Links;
let answer: (request: MockRequest) => MockTurn;

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite((request) => answer(request));
  relay = await startRelay(site);
  for (const setting of ["collab.relayUrl", "share.serverUrl"]) site.run(["config", "set", setting, relay.url]);
  const server = await site.start();
  ({ page: host } = await visit(browser, server.link));
});

beforeEach(async () => {
  answer = () => ({ text: "First **answer**." });
  ({ sessionId } = await call<{ readonly sessionId: string }>("POST", "/session", {}));
  links = await call<Links>("POST", `/session/${sessionId}/collab`, { isConfirmed: true });
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  if (relay !== undefined) {
    relay.process.kill("SIGTERM");
    await once(relay.process, "close");
  }
});

async function startRelay({ home }: WebSite): Promise<typeof relay> {
  const entry = join(import.meta.dirname, "../../../dist/kedge.js");
  const child = spawn(process.execPath, [entry, "relay", "--json", "--port", "0"], {
    env: { PATH: process.env["PATH"], HOME: home, KEDGE_HOME: home, TERM: "dumb" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  // The form of what `kedge relay --json` prints.
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  return { url, process: child };
}

/** Asks the server as the owner does. */
async function call<Value>(method: string, path: string, body?: object): Promise<Value> {
  const given = { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status, text } = await host.evaluate(async ({ path: address, ...request }) => {
    const headers = { "content-type": "application/json", "x-kedge-protocol": "1" };
    const answered = await fetch(address, { ...request, headers });
    return { status: answered.status, text: await answered.text() };
  }, given);
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as Value;
}

const prompt = (text: string) => call("POST", `/session/${sessionId}/prompt`, { text });

type GuestVisit = { readonly page: Page; readonly problems: readonly string[]; readonly sent: readonly string[] };

/** A browser of its own, which notes errors and everything that it sends. */
async function open(link: string): Promise<GuestVisit> {
  const context = await browser.newContext();
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const problems: string[] = [];
  const sent: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load")) problems.push(message.text());
  });
  page.on("request", (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ""}`);
  });
  page.on("websocket", (socket) => {
    sent.push(socket.url());
    socket.on("framesent", ({ payload }) => sent.push(payload.toString("latin1")));
  });
  await page.goto(link);
  return { page, problems, sent };
}

async function joinAs(link: string, name: string): Promise<GuestVisit> {
  const opened = await open(link);
  await opened.page.getByLabel("Your name").fill(name);
  await opened.page.getByRole("button", { name: "Join" }).click();
  await conversation(opened.page).waitFor();
  return opened;
}

const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });
const keyOf = (link: string) => link.slice(link.lastIndexOf(".") + 1);
const originOf = (link: string) => new URL(link).origin;

test("a view link shows the conversation, follows it live, cannot prompt, and gives its key to nobody", async () => {
  await prompt("First question");
  const { page, problems, sent } = await joinAs(links.view.page, "Ada");
  await conversation(page).getByText("First question").waitFor();
  expect(await conversation(page).locator("strong").innerText()).toBe("answer");
  answer = () => ({ text: "Second answer <img src=x onerror=alert(1)>." });
  await prompt("Second question");
  await conversation(page).getByText("Second answer <img src=x onerror=alert(1)>.").waitFor();
  await page.getByText("You are watching.").waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  await expectAccessible(page, "guest-watching");
  const origin = originOf(links.view.page);
  const addresses = sent.filter((each) => each.startsWith("http") || each.startsWith("ws"));
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  expect({
    address: page.url(),
    elsewhere: addresses.filter((each) => !each.startsWith(origin) && !each.startsWith(origin.replace("http", "ws"))),
    hasSocket: addresses.some((each) => each.startsWith("ws")),
    isKeySent: [...sent, kept, await page.title()].some((each) => each.includes(keyOf(links.view.page))),
    kept,
    problems,
  }).toEqual({
    ...{ address: `${origin}/`, elsewhere: [], hasSocket: true, isKeySent: false, problems: [] },
    kept: JSON.stringify([{ "kedge.guestName": "Ada" }, {}, null]),
  });
});

test("a full link prompts under the guest's name, sees who is there, and waits where the host is asked", async () => {
  answer = ({ body }) =>
    body.messages?.some(({ role }) => role === "tool") === true
      ? { text: "Done." }
      : { toolCalls: [{ name: "bash", input: { command: "touch made.txt", description: "make" } }] };
  const grace = await joinAs(links.full.page, "Grace");
  const ada = await joinAs(links.view.page, "Ada");
  await grace.page.getByRole("list", { name: "Guests" }).getByText("Ada (watching)").waitFor();
  await grace.page.getByRole("textbox").fill("/help me");
  await grace.page.getByRole("textbox").press("Enter");
  for (const { page } of [grace, ada]) {
    await conversation(page).getByText("/help me").waitFor();
    await conversation(page).getByText("Grace", { exact: true }).waitFor();
    await page.getByText("waiting for the host to answer").waitFor();
  }
  expect(await grace.page.getByRole("textbox").inputValue()).toBe("");
  await expectAccessible(grace.page, "guest-waiting");
  await grace.page.getByRole("button", { name: "Interrupt" }).click();
  await expect.poll(() => grace.page.getByRole("button", { name: "Interrupt" }).count()).toBe(0);
  expect([grace.problems, ada.problems]).toEqual([[], []]);
});

test("a guest in a terminal watches or prompts as the link says, and keeps nothing of it", async () => {
  await prompt("First question");
  const directory = mkdtempSync(join(tmpdir(), "kedge-guest-"));
  const program = join(import.meta.dirname, "../../../dist/kedge.js");
  const joinInTerminal = (link: string) =>
    openScreenTerminal({
      ...{ command: process.execPath, arguments: [program, "join", link], cwd: directory, columns: 120, rows: 40 },
      environment: { PATH: process.env["PATH"] ?? "", HOME: directory, KEDGE_HOME: join(directory, "home") },
    });
  const watching = await joinInTerminal(links.view.join);
  await watching.shows("First answer.", timeoutMs);
  await watching.shows("You can only watch.", timeoutMs);
  const prompting = await joinInTerminal(links.full.join);
  await prompting.shows("You can send prompts.", timeoutMs);
  answer = () => ({ text: "Second answer." });
  prompting.type("From the terminal");
  prompting.press("enter");
  for (const each of [prompting, watching]) await each.shows("Second answer.", timeoutMs);
  await conversation(await watchAsOwner())
    .getByText("From the terminal")
    .waitFor();
  await call("DELETE", `/session/${sessionId}/collab`);
  for (const each of [prompting, watching]) {
    await each.shows("The host stopped sharing", timeoutMs);
    await each.close();
  }
  const kept = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
  const secrets = [keyOf(links.full.page), keyOf(links.view.page), "Second answer"];
  expect(secrets.filter((secret) => texts.includes(secret))).toEqual([]);
  rmSync(directory, { recursive: true });
});

async function watchAsOwner(): Promise<Page> {
  await host.goto(new URL(`/app/session/${sessionId}`, host.url()).href);
  return host;
}

test("a guest follows to new links, and what is said after that is shown", async () => {
  const { page, problems } = await joinAs(links.full.page, "Ada");
  await call("POST", `/session/${sessionId}/collab/rotate`, {});
  await prompt("Are you there?");
  await conversation(page).getByText("First answer.").waitFor();
  answer = () => ({ text: "Still here." });
  await page.getByRole("textbox").fill("And now?");
  await page.getByRole("textbox").press("Enter");
  await conversation(page).getByText("Still here.").waitFor();
  expect(problems).toEqual([]);
});

test("rights that the host changes take effect at once, and stopping shows the reason and keeps the conversation", async () => {
  await prompt("A question");
  const { page } = await joinAs(links.view.page, "Ada");
  await page.getByText("You are watching.").waitFor();
  const { guests } = await call<{ readonly guests: readonly { readonly guest: number }[] }>(
    "GET",
    `/session/${sessionId}/collab`,
  );
  await call("PATCH", `/session/${sessionId}/collab/guest/${guests[0]?.guest}`, { rights: "full" });
  await page.getByRole("textbox").waitFor();
  await call("DELETE", `/session/${sessionId}/collab`);
  await page.getByText("The shared session ended: The host stopped sharing.").waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  expect(await conversation(page).getByText("A question").count()).toBe(1);
  await expectAccessible(page, "guest-ended");
  const late = await open(links.view.page);
  await late.page.getByLabel("Your name").fill("Late");
  await late.page.getByRole("button", { name: "Join" }).click();
  await late.page.getByText("No host is connected to this room.").waitFor();
});

test("the owner shares from the browser: asked first, with links that work, and a copy as well", async () => {
  await host.goto(new URL("/app", host.url()).href);
  const line = async (text: string) => {
    await host.locator("#prompt").fill(text);
    await host.locator("#prompt").press("Enter");
  };
  await line("From the browser");
  await conversation(host).getByText("First answer.").waitFor();
  await expect.poll(() => host.getByRole("button", { name: "Interrupt" }).count()).toBe(0);
  const asked = host.getByRole("dialog", { name: "Question" });
  const reply = async (label: string) => {
    await asked.getByRole("radio", { name: label }).first().check();
    await expect.poll(() => asked.locator("form").getAttribute("aria-busy")).toBe("false");
    await asked.getByRole("button", { name: "Send answer" }).click();
    await asked.waitFor({ state: "detached" });
  };
  await line("/collab");
  await asked.getByText(/Share this session through ws:/).waitFor();
  await expectAccessible(host, "dialog-ask");
  await host.keyboard.press("Escape");
  await asked.waitFor({ state: "detached" });
  await line("/collab status");
  await host.getByText("Not shared. Share this session with /collab.").waitFor();
  await line("/collab");
  await reply("Share");
  const told = host.getByText("To watch:").first();
  const view = /To watch:\n(\S+)/.exec((await told.innerText()) ?? "")?.[1] ?? "";
  const { page } = await joinAs(view, "Ada");
  await conversation(page).getByText("From the browser").waitFor();
  await line("/share");
  await asked.getByText(/Upload a copy of this session/).waitFor();
  await reply("Upload");
  const copied = await host.getByText("Delete it with kedge share revoke").first().innerText();
  const copy = await open(copied.slice(0, copied.indexOf("\n")));
  await conversation(copy.page).getByText("From the browser").waitFor();
});

test("a sealed copy opens with its key alone", async () => {
  await prompt("Remember the apricot");
  const { link } = await call<{ readonly link: string }>("POST", `/session/${sessionId}/share`, { isConfirmed: true });
  const [address = "", key = ""] = link.split("#");
  const { page, problems, sent } = await open(link);
  await conversation(page).getByText("Remember the apricot").waitFor();
  expect(await conversation(page).locator("strong").innerText()).toBe("answer");
  expect({ address: page.url(), isKeySent: sent.some((each) => each.includes(key)), problems }).toEqual({
    ...{ address, isKeySent: false, problems: [] },
  });
  await expectAccessible(page, "guest-copy");
  await page.reload();
  await page.getByText("Open the complete link again.").waitFor();
  const wrong = await open(`${address}#${base64UrlOf(randomBytesOf(32))}`);
  await wrong.page.getByText("The key in this link does not open this copy.").waitFor();
  const gone = await open(`${address}x#${key}`);
  await gone.page.getByText("This copy does not exist").waitFor();
});

test("a copy that somebody made up is refused in one sentence", async () => {
  const session = { title: "Odd", directory: "/" };
  const head = { format: "kedge-session", version: 1, session };
  const parts = [{ type: "tool", state: null }, null];
  const bodies = [
    ...[gzipSync("no JSON"), Buffer.from("not packed"), gzipSync(JSON.stringify({ ...head, messages: [null] }))],
    gzipSync(JSON.stringify({ ...head, messages: [{ id: "msg_1", role: "assistant", parts }] })),
  ];
  for (const body of bodies) {
    const { page } = await open(await upload(body));
    await page.getByText("This copy is damaged or was created by a newer version of kedge.").waitFor();
    await page.context().close();
  }
});

test("a link without a part of its key, or opened over plain HTTP elsewhere, is refused in one sentence", async () => {
  const { page } = await open(links.view.page.slice(0, -4));
  await page.getByText("This is not a link to a shared session, or a part of it is missing.").waitFor();
  expect(page.url()).not.toContain("#");
  await page.goto(links.view.page);
  await page.getByLabel("Your name").waitFor();
  expect(page.url()).not.toContain("#");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("Enter a name.").waitFor();
  await expectAccessible(page, "guest-join");
  const plain = await browser.newContext();
  const insecure = await plain.newPage();
  // A name that is not this machine's, answered by the relay: the browser does not trust it.
  await insecure.route("http://relay.test/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${originOf(links.view.page)}${pathname}` }) });
  });
  await insecure.goto(links.view.page.replace(originOf(links.view.page), "http://relay.test"));
  await insecure.getByText("This page works only over HTTPS.").waitFor();
  expect(insecure.url()).toBe("http://relay.test/");
});

/** Uploads whatever it is given, sealed as kedge does it, and gives back the link. */
async function upload(content: Uint8Array): Promise<string> {
  const [iv, secret] = [randomBytesOf(12), randomBytesOf(32)];
  const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt"]);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(content));
  const server = relay.url.replace("ws", "http");
  const kept = await fetch(`${server}/s`, { method: "POST", body: joinBytes(iv, new Uint8Array(sealed)) });
  // The form in which a relay answers.
  const { id } = (await kept.json()) as { readonly id: string };
  return `${server}/s/${id}#${base64UrlOf(secret)}`;
}
