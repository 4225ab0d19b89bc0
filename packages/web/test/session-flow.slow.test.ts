/** Proves that a session is led from the browser as from the terminal: every step through the built program in Chromium. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openBrowser, openSite, type Visit, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let visited: Visit;
let answer: (request: MockRequest) => MockTurn = () => ({ text: "Hello." });

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite((request) => answer(request));
  server = await site.start();
  visited = await visit(browser, server.link);
});

afterEach(() => {
  expect(visited.problems).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const resultsIn = ({ body }: MockRequest) => body.messages?.filter(({ role }) => role === "tool").length ?? 0;
const inProject = (name: string) => join(site.project, name);

/** A new session, with a prompt that was sent by Enter. */
async function begin(text: string): Promise<Page> {
  const { page } = visited;
  await page.goto(`${server.url}/app`);
  await send(page, text);
  await page.waitForURL(/\/app\/session\/ses_/);
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  await page.locator("#prompt").fill(text);
  await page.locator("#prompt").press("Enter");
}

const request = (page: Page, name: string) => page.getByRole("dialog", { name });
const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });
const idle = (page: Page) => expect.poll(() => page.getByRole("button", { name: "Interrupt" }).count()).toBe(0);

test("the code of the link works once, and is in no address afterwards", async () => {
  const { page } = visited;
  expect(page.url()).not.toContain("code");
  await page.reload();
  await page.locator("#prompt").waitFor();
  const other = await visit(browser, server.link);
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.page.getByText("The code is unknown, already used, or expired.").waitFor();
  await other.page.getByLabel("Link or token").fill("kedge_wrong");
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await other.page.getByText("The credential is invalid or has expired.").waitFor();
  await other.context.close();
});

test("a change is allowed once by its letter, undone and redone", async () => {
  answer = (asked) =>
    resultsIn(asked) === 0
      ? { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "hello\n" } }] }
      : { text: "Written." };
  const page = await begin("Write a.txt");
  const question = request(page, "Permission");
  await question.getByText("Write a.txt?").waitFor();
  expect(existsSync(inProject("a.txt"))).toBe(false);
  expect(await question.getByRole("button").allTextContents()).toEqual([
    "yAllow once",
    "sAllow all edits in this session (shift+tab)",
    "aAllow for this session: a.txt",
    'pAlways allow in this project: allow edit "a.txt"',
    "nReject",
    "mNo, and tell the model what to do instead",
  ]);
  // What was typed for something else is no answer: keys count after a pause.
  await expect.poll(() => question.locator(".choices").getAttribute("aria-busy")).toBe("false");
  // A letter of an answer that holds for long only moves the focus.
  await page.keyboard.press("a");
  expect(await question.getByRole("button", { name: "Allow for this session" }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("y");
  await conversation(page).getByText("Written.").waitFor();
  expect(readFileSync(inProject("a.txt"), "utf8")).toBe("hello\n");
  await idle(page);
  await page.getByRole("button", { name: "Undo the last prompt" }).click();
  await page.getByText("Undone: 1 file changed: a.txt (deleted).").waitFor();
  expect(existsSync(inProject("a.txt"))).toBe(false);
  await expect.poll(() => page.locator("#prompt").inputValue()).toBe("Write a.txt");
  await page.getByRole("button", { name: "Redo the last undo" }).click();
  await page.getByText("Redone: 1 file changed: a.txt (added).").waitFor();
  expect(readFileSync(inProject("a.txt"), "utf8")).toBe("hello\n");
  await page.locator("#prompt").fill("");
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test("a rejection with words goes to the model, and Escape rejects", async () => {
  const seen: string[] = [];
  answer = (asked) => {
    if (resultsIn(asked) === 0)
      return { toolCalls: [{ name: "bash", input: { command: "touch b.txt", description: "b" } }] };
    seen.push(JSON.stringify(asked.body.messages?.at(-1)));
    return { text: "Understood." };
  };
  const page = await begin("Make b.txt");
  const question = request(page, "Permission");
  await question.getByText("Run this command?").waitFor();
  await expect.poll(() => question.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await page.keyboard.press("m");
  await question.getByLabel("What should the model do instead?").fill("Use c.txt");
  await page.keyboard.press("Enter");
  await conversation(page).getByText("Understood.").waitFor();
  expect(seen.join()).toContain("Use c.txt");
  expect(existsSync(inProject("b.txt"))).toBe(false);
});

test("while the model works a prompt steers it, another waits for the end, and Escape interrupts", async () => {
  const command = "for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; touch ended";
  answer = ({ body }) => {
    const last = JSON.stringify(body.messages?.at(-1) ?? "");
    if (last.includes("Start")) return { toolCalls: [{ name: "bash", input: { command, description: "wait" } }] };
    if (last.includes("Hang")) return { text: "word ".repeat(400), stallAfterBytes: 900 };
    const texts = (body.messages ?? []).filter(({ role }) => role === "user").map((message) => JSON.stringify(message));
    return { text: `Seen ${texts.filter((text) => /Steer now|Then this/.test(text)).length} more.` };
  };
  const page = await begin("Start");
  const question = request(page, "Permission");
  await expect.poll(() => question.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await page.keyboard.press("y");
  await page.getByRole("button", { name: "Interrupt" }).waitFor();
  await send(page, "Steer now");
  await page.getByText("Sent at the next step").waitFor();
  await page.locator("#prompt").fill("Then this");
  await page.locator("#prompt").press("Alt+Enter");
  await page.getByText("Queued until the run ends").waitFor();
  writeFileSync(inProject("go"), "");
  await conversation(page).getByText("Seen 1 more.").waitFor();
  await conversation(page).getByText("Seen 2 more.").waitFor();
  await idle(page);
  await send(page, "Hang");
  await conversation(page).getByText("word word").waitFor();
  await page.keyboard.press("Escape");
  await conversation(page)
    .getByText(/interrupted/)
    .first()
    .waitFor();
  await idle(page);
});

test("a queued prompt is taken back into the field", async () => {
  answer = () => ({ text: "word ".repeat(400), stallAfterBytes: 900 });
  const page = await begin("Hang");
  await conversation(page).getByText("word word").waitFor();
  await page.locator("#prompt").fill("Later");
  await page.locator("#prompt").press("Alt+Enter");
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => page.locator("#prompt").inputValue()).toBe("Later");
  await page.locator("#prompt").fill("");
  await page.getByRole("button", { name: "Interrupt" }).click();
  await conversation(page)
    .getByText(/interrupted/)
    .first()
    .waitFor();
});

test("questions of the model are answered, own words included", async () => {
  const seen: string[] = [];
  const options = [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ];
  const questions = [
    { question: "Which database?", header: "Database", options, multiSelect: false },
    { question: "Which parts?", header: "Parts", options, multiSelect: true },
  ];
  answer = (asked) => {
    if (resultsIn(asked) === 0) return { toolCalls: [{ name: "question", input: { questions } }] };
    seen.push(JSON.stringify(asked.body.messages?.at(-1)));
    return { text: "Chosen." };
  };
  const page = await begin("Ask me");
  const dialog = request(page, "Questions");
  await dialog.getByText("Which database?").waitFor();
  expect(await dialog.getByRole("button", { name: "Send answers" }).isDisabled()).toBe(true);
  await dialog.getByRole("radio", { name: "Postgres" }).check();
  await dialog.getByRole("checkbox", { name: "SQLite" }).check();
  await dialog.getByLabel("Other answer: Which parts?").fill("the docs");
  await expect.poll(() => dialog.locator("form").getAttribute("aria-busy")).toBe("false");
  await dialog.getByRole("button", { name: "Send answers" }).click();
  await conversation(page).getByText("Chosen.").waitFor();
  expect(seen.join()).toContain("Postgres");
  expect(seen.join()).toContain("SQLite, the docs");
});

test("a plan is shown and accepted", async () => {
  mkdirSync(inProject(".kedge/plans"), { recursive: true });
  const planPath = ".kedge/plans/first.md";
  writeFileSync(inProject(planPath), "# The plan\n\n1. Do it\n");
  answer = (asked) =>
    resultsIn(asked) === 0 ? { toolCalls: [{ name: "plan_exit", input: { planPath } }] } : { text: "Planned." };
  const page = await begin("/plan Think first");
  const dialog = request(page, "Plan");
  await dialog.getByText("Do it").waitFor();
  expect(await dialog.getByRole("button").allTextContents()).toEqual([
    "yAccept and return to the previous mode",
    "aAccept and allow all edits (accept-edits mode)",
    "eEdit plan",
    "nReject",
    "mReject with feedback",
  ]);
  await expect.poll(() => dialog.locator(".choices").getAttribute("aria-busy")).toBe("false");
  await page.keyboard.press("y");
  await conversation(page).getByText("Planned.").waitFor();
  await page.getByRole("button", { name: "Mode: default" }).waitFor();
});

test("rewind, fork, another model, another mode and a new title", async () => {
  let count = 0;
  answer = () => {
    count += 1;
    return { text: `Answer ${count}.` };
  };
  const page = await begin("First");
  await conversation(page).getByText("Answer 1.").waitFor();
  await idle(page);
  await send(page, "Second");
  await conversation(page).getByText("Answer 2.").waitFor();
  await idle(page);
  const original = page.url();

  await page.keyboard.press("Alt+r");
  await page.getByRole("option", { name: /Second/ }).click();
  await page.getByRole("button", { name: "Conversation only" }).click();
  await expect.poll(() => conversation(page).getByText("Answer 2.").count()).toBe(0);
  await expect.poll(() => page.locator("#prompt").inputValue()).toBe("Second");
  await page.locator("#prompt").fill("");

  await page.getByRole("button", { name: "Session actions" }).click();
  await page.getByRole("menuitem", { name: "Fork" }).click();
  await page.getByText("You are in a fork. The original session is unchanged.").waitFor();
  expect(page.url()).not.toBe(original);
  await conversation(page).getByText("Answer 1.").waitFor();

  await page.keyboard.press("Alt+m");
  await page.getByRole("combobox", { name: "Filter: Models" }).fill("two");
  await page.getByRole("option", { name: /mock-two/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText(/^Model: mock\/mock-two, from the next prompt/).waitFor();
  await page.getByRole("button", { name: "Model: mock-two" }).waitFor();

  await page.locator("#prompt").focus();
  await page.keyboard.press("Shift+Tab");
  await page.getByRole("button", { name: "Mode: accept-edits" }).waitFor();

  await page.getByRole("button", { name: "Session actions" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByLabel("Title").fill("A better title");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /A better title/ }).waitFor();
});

test("commands and files are completed, attachments are pasted and dropped", async () => {
  writeFileSync(inProject("notes.md"), "notes\n");
  let media = 0;
  answer = ({ body }) => {
    media = JSON.stringify(body.messages).split("image_url").length - 1;
    return { text: "Looked." };
  };
  const page = await begin("Hello");
  await conversation(page).getByText("Looked.").waitFor();
  await idle(page);
  const prompt = page.locator("#prompt");
  await prompt.pressSequentially("/he");
  await page.getByRole("option", { name: /^\/help/ }).waitFor();
  await page.keyboard.press("Enter");
  expect(await prompt.inputValue()).toBe("/help ");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await page.keyboard.press("Escape");
  await prompt.fill("");
  await prompt.pressSequentially("Read @not");
  await page.getByRole("option", { name: "notes.md" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await prompt.inputValue()).toBe("Read @notes.md ");
  await prompt.evaluate(pastePicture);
  await page.getByRole("list", { name: "Attachments" }).getByText("dot.png").waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => media).toBeGreaterThan(0);
});

/** As the browser does it for a picture on the clipboard. */
function pastePicture(field: Element): void {
  const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }));
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

test("a message has an address of its own, and a session that is not there is told", async () => {
  answer = () => ({ text: "Linked." });
  const page = await begin("Link me");
  await conversation(page).getByText("Linked.").waitFor();
  await idle(page);
  const link = conversation(page).getByRole("link", { name: "Link to this message" }).first();
  const href = await link.getAttribute("href");
  await page.goto(`${server.url}${href}`);
  await page.locator(".row.wanted").getByText("Link me").waitFor();
  await page.goto(`${server.url}/app/session/ses_0000000000000000000000`);
  await page
    .getByText(/session/i)
    .first()
    .waitFor();
  await page.goto(`${server.url}/app/nothing/here`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});
