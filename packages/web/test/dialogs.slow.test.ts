/** Proves that every dialog, question, list and state of the page is accessible, and answers to the keyboard. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { atRest, send } from "./served.ts";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let page: Page;
let problems: readonly string[];
let answer: (request: MockRequest) => MockTurn = () => ({ text: "Hello." });

const isAnswered = ({ body }: MockRequest) => body.messages?.at(-1)?.role === "tool";

beforeAll(async () => {
  browser = await openBrowser();
  site = await openSite((request) => answer(request), { permission: { edit: "allow", bash: "allow" } });
  mkdirSync(join(site.project, ".kedge/plans"), { recursive: true });
  writeFileSync(join(site.project, ".kedge/plans/first.md"), "# The plan\n\n1. Do it\n2. `test` it\n");
  writeFileSync(join(site.project, "notes.md"), "notes\n");
  server = await site.start();
  ({ page, problems } = await visit(browser, server.link));
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

/** Opens it by a line of the prompt, looks at it, and closes it by Escape: the focus is back where it was. */
async function look(line: string, title: string | RegExp): Promise<void> {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await send(page, line);
  await dialog(title).waitFor();
  await expectAccessible(page, `dialog-${line.slice(1)}`);
  await page.keyboard.press("Escape");
  await dialog(title).waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("prompt");
}

test("the start, where a line that does nothing says why", async () => {
  await send(page, "/nonsense");
  await page
    .getByText(/nonsense/)
    .first()
    .waitFor();
  await expectAccessible(page, "start-notice");
  await send(page, "Begin");
  await page.getByText("Hello.").first().waitFor();
  await atRest(page);
});

test("a conversation with several parts of one name", async () => {
  const edit = (oldString: string, newString: string) => {
    return { name: "edit", input: { filePath: "notes.md", oldString, newString } };
  };
  const run = { name: "bash", input: { command: "seq 60", description: "Count" } };
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  const turns = [
    { toolCalls: [{ name: "read", input: { filePath: "notes.md" } }] },
    { toolCalls: [edit("notes", "one"), run] },
    { toolCalls: [edit("one", "two"), run] },
    { text: `${table}${table}\`\`\`ts\nconst a = 1;\n\`\`\`\n\n\`\`\`ts\nconst a = 2;\n\`\`\`\n\nThe end.` },
  ];
  answer = () => turns.shift() ?? { text: "More." };
  await page.setViewportSize({ width: 1_440, height: 900 });
  await send(page, "Twice");
  await page.getByText("The end.").first().waitFor();
  expect(await page.locator(".diff-frame").count()).toBe(2);
  expect(await page.locator(".table-frame").count()).toBe(2);
  await expectAccessible(page, "twice");
  await atRest(page);
});

test.each<[string, string | RegExp]>([
  ["/help", "Help"],
  ["/status", /./],
  ["/models", "Models"],
  ["/mode", /./],
  ["/theme", /./],
  ["/sessions", /./],
  ["/tree", /./],
  ["/rewind", "Rewind to before"],
])("%s", async (line, title) => {
  await look(line, title);
});

test("the commands, the title, and what to rewind", async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.getByRole("button", { name: /^Reasoning effort/ }).click();
  await dialog(/effort/i)
    .getByRole("option")
    .first()
    .waitFor();
  await expectAccessible(page, "dialog-effort");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.keyboard.press("Control+k");
  await dialog("Commands").getByRole("option").first().waitFor();
  await expectAccessible(page, "dialog-commands");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Session actions" }).click();
  await expectAccessible(page, "session-actions");
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await expectAccessible(page, "dialog-rename");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+r");
  await page.getByRole("option", { name: /Begin/ }).click();
  await page.getByRole("button", { name: "Conversation only" }).waitFor();
  await expectAccessible(page, "dialog-rewind-what");
  await page.keyboard.press("Escape");
});

test("completions, attachments that were dropped and chosen, and one that is too large", async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  const prompt = page.locator("#prompt");
  await prompt.pressSequentially("Read @not");
  await page.getByRole("option", { name: "notes.md" }).waitFor();
  await expectAccessible(page, "completions");
  await prompt.fill("");
  await page.locator("form.prompt").evaluate(dropText);
  await page.getByRole("list", { name: "Attachments" }).getByText("dropped.txt").waitFor();
  const chosen = { name: "chosen.txt", mimeType: "text/plain", buffer: Buffer.from("chosen ``` words\n") };
  await page.getByLabel("Attach files").setInputFiles([chosen]);
  await page.getByRole("list", { name: "Attachments" }).getByText("chosen.txt").waitFor();
  await expectAccessible(page, "attachments");
  await page.getByRole("button", { name: "Remove dropped.txt" }).click();
  let sent = "";
  answer = ({ body }) => {
    sent = JSON.stringify(body.messages?.at(-1));
    return { text: "Read it." };
  };
  await prompt.fill("What does it say?");
  await prompt.press("Enter");
  await page.getByText("Read it.").first().waitFor();
  expect(sent).toContain("What does it say?\\n\\nchosen.txt:\\n````\\nchosen ``` words\\n````");
  expect(sent).not.toContain("dropped");
  const mimeType = "text/plain";
  await page.getByLabel("Attach files").setInputFiles([
    { name: "large.png", mimeType, buffer: Buffer.alloc(21 * 1_048_576) },
    { name: "long.txt", mimeType, buffer: Buffer.alloc(300 * 1_024, "x") },
    { name: "program.txt", mimeType, buffer: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]) },
  ]);
  await page.getByText("large.png is too large to attach: the limit is 20 MB.").waitFor();
  await page.getByText("long.txt is too large to attach: the limit is 256 KB for text.").waitFor();
  await page.getByText("program.txt is not an image, a PDF or text.").waitFor();
  expect(await page.getByRole("list", { name: "Attachments" }).count()).toBe(0);
  await atRest(page);
});

/** As the browser does it for a file from the desktop. */
function dropText(form: Element): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["dropped words\n"], "dropped.txt", { type: "text/plain" }));
  form.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

test("questions of the model, and a plan", async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  const options = [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ];
  const questions = [
    { question: "Which database?", header: "Database", options, multiSelect: false },
    { question: "Which parts?", header: "Parts", options, multiSelect: true },
  ];
  answer = (asked) =>
    isAnswered(asked) ? { text: "Chosen." } : { toolCalls: [{ name: "question", input: { questions } }] };
  await send(page, "Ask me");
  await dialog("Questions").waitFor();
  await expectAccessible(page, "questions");
  await expect.poll(() => dialog("Questions").locator("form").getAttribute("aria-busy")).toBe("false");
  // With keys alone: the first option by Space, the others by Tab.
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await dialog("Questions").getByRole("button", { name: "Send answers" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Chosen.").first().waitFor();
  await atRest(page);

  answer = (asked) =>
    isAnswered(asked)
      ? { text: "Planned." }
      : { toolCalls: [{ name: "plan_exit", input: { planPath: ".kedge/plans/first.md" } }] };
  await page.setViewportSize({ width: 1_440, height: 900 });
  await send(page, "/plan Think first");
  await dialog("Plan").waitFor();
  await expectAccessible(page, "plan");
  await expect.poll(() => dialog("Plan").locator(".choices").getAttribute("aria-busy")).toBe("false");
  await page.keyboard.press("n");
  await atRest(page);
});

test("a run under way, an answer that was interrupted, and a server that is gone", async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  answer = () => ({ text: "word ".repeat(400), stallAfterBytes: 900 });
  await send(page, "Hang");
  await page.getByText("word word").first().waitFor();
  await page.locator("#prompt").fill("Later");
  await page.locator("#prompt").press("Alt+Enter");
  await page.getByText("Queued until the run ends").waitFor();
  await expectAccessible(page, "running");
  await page.keyboard.press("Escape");
  await page
    .getByText(/interrupted/)
    .first()
    .waitFor();
  await server.stop("SIGKILL");
  await page.getByText("Connection lost. Reconnecting… Your draft is kept.").waitFor();
  await expectAccessible(page, "lost");
  expect(problems).toEqual([]);
});

test("the page to sign in", async () => {
  const again = await site.start();
  const other = await visit(browser, again.url);
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expectAccessible(other.page, "sign-in");
  await other.page.getByLabel("Link or token").fill("kedge_wrong");
  await other.page.keyboard.press("Enter");
  await other.page.getByText("The credential is invalid or has expired.").waitFor();
  await expectAccessible(other.page, "sign-in-refused");
  expect(other.problems).toEqual([]);
});
