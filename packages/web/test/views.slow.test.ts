/** Proves each side view in Chromium against the built program: what it shows, what it does, and that it is accessible. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

let browser: Browser;
let site: WebSite;
let server: WebServer;
let page: Page;
let problems: readonly string[];
let sessionId: string;

beforeAll(async () => {
  browser = await openBrowser();
  const edit = {
    name: "edit",
    input: { filePath: "src/cart.ts", oldString: "return price", newString: "return price * count" },
  };
  const hooks = { PostToolUse: [{ matcher: "edit", hooks: [{ type: "command", command: "echo formatted" }] }] };
  const mcp = { tracker: { type: "local", command: ["/does/not/exist"] } };
  const read = { name: "read", input: { filePath: "src/cart.ts" } };
  const change = { name: "bash", input: { command: "touch made.txt", description: "Make a file" } };
  const turns = [
    { toolCalls: [read] },
    { toolCalls: [edit] },
    { text: "Done: `src/cart.ts:2` counts now." },
    { toolCalls: [change] },
    { text: "Stopped." },
  ];
  site = await openSite(turns, { hooks, mcp });
  mkdirSync(join(site.project, "src/deep"), { recursive: true });
  writeFileSync(
    join(site.project, "src/cart.ts"),
    "export function total(price: number, count: number) {\n  return price;\n}\n",
  );
  writeFileSync(join(site.project, "src/deep/<b>name.txt"), "plain \u202etext\n");
  writeFileSync(join(site.project, "README.md"), "# Shop\n");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: site.project });
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
  const words = ["-p", "Fix the total", "--permission-mode", "accept-edits", "--output-format", "json"];
  const env = { PATH: process.env["PATH"], HOME: dirname(site.home), KEDGE_HOME: site.home, TERM: "dumb" };
  const program = [join(import.meta.dirname, "../../../dist/kedge.js"), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: site.project, env });
  sessionId = JSON.parse(stdout).sessionId;
  server = await site.start();
  ({ page, problems } = await visit(browser, server.link));
  await page.locator(".session-title").first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens a view with the session open before it, as a person would. */
async function open(title: string, wanted: string): Promise<void> {
  await page.goto(new URL(`/app/session/${sessionId}`, server.url).href);
  await page.getByText("counts now").first().waitFor();
  await page.getByRole("link", { name: title, exact: true }).click();
  await page.getByText(wanted).first().waitFor();
}

const isAccessible = (name: string) => expectAccessible(page, `view-${name}`);

test("the start, a conversation, lists, a question and the list of sessions on a phone", async () => {
  await page.goto(new URL("/app", server.url).href);
  await page.locator("#prompt").waitFor();
  await isAccessible("start");
  await page.goto(new URL(`/app/session/${sessionId}`, server.url).href);
  await page.getByText("counts now").first().waitFor();
  await isAccessible("session");
  for (const [button, title] of [
    ["Model: mock-model", "Models"],
    ["Agent: build", "Agents"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog", { name: title }).getByRole("option").first().waitFor();
    await isAccessible(title);
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize({ width: 360, height: 900 });
  await page.getByRole("button", { name: "Show sessions" }).click();
  await isAccessible("sessions");
  await page.keyboard.press("Escape");
  await page.locator("#prompt").fill("Make a file");
  await page.locator("#prompt").press("Enter");
  const question = page.getByRole("dialog", { name: "Permission" });
  await question.getByText("touch made.txt").first().waitFor();
  await isAccessible("permission");
  await question.getByRole("button", { name: "Reject" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Interrupt" }).count()).toBe(0);
});

test("an agent is chosen from its list, by switching or by its name in the prompt", async () => {
  await page.goto(new URL(`/app/session/${sessionId}`, server.url).href);
  await page.getByRole("button", { name: "Agent: build" }).click();
  await page.getByRole("option", { name: /^plan/ }).click();
  await page.getByRole("button", { name: "Agent: plan" }).click();
  await page.getByRole("option", { name: /@explore/ }).click();
  await expect.poll(() => page.locator("#prompt").inputValue()).toBe("@explore ");
  await page.locator("#prompt").fill("");
  await page.getByRole("button", { name: "Agent: plan" }).click();
  await page.getByRole("option", { name: /^build/ }).click();
  await page.getByRole("button", { name: "Agent: build" }).waitFor();
});

test("settings are listed with their source, changed, removed, and the theme is chosen", async () => {
  await open("Settings", "kedge settings");
  await page.getByRole("row").filter({ hasText: "titles.enabled" }).getByText("config.json").waitFor();
  await isAccessible("settings");
  await page.getByLabel("Setting", { exact: true }).fill("theme");
  await page.getByLabel("Value", { exact: true }).fill("[1]");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.getByLabel("Setting", { exact: true }).fill("model");
  await page.getByLabel("Value", { exact: true }).fill("mock/mock-two");
  await page.getByLabel("Applies to").selectOption("local");
  await page.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: "mock/mock-two" });
  await row.getByText("config.local.json").waitFor();
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => row.count()).toBe(0);
  const theme = () => page.evaluate("document.documentElement.dataset.theme ?? ''");
  await page.getByLabel("Theme").selectOption({ index: 1 });
  await expect.poll(theme).not.toBe("");
  await page.getByLabel("Theme").selectOption("system");
  await expect.poll(theme).toBe("");
});

test("files are found, shown with colours and linked by line", async () => {
  await open("Files", "README.md");
  await page.getByRole("button", { name: "src" }).click();
  await page.getByRole("link", { name: "cart.ts" }).click();
  await page.locator(".file-line .syntaxKeyword").first().waitFor();
  await page.getByRole("link", { name: "Line 2" }).click();
  await page.locator(".file-line.chosen").waitFor();
  expect(await page.locator(".file-line.chosen").textContent()).toContain("price * count");
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/app/files/src/cart.ts#L2");
  await page.getByRole("searchbox", { name: "Find a file by name" }).fill("name.txt");
  await page.getByRole("button", { name: "src/deep/<b>name.txt" }).click();
  await page.getByText("plain ⟨U+202E⟩text").waitFor();
  await isAccessible("files");
});

test("changes of the session and of the working tree", async () => {
  await open("Changes", "Changes in this session");
  await page.locator(".diff tr.added mark").first().waitFor();
  expect(await page.locator(".diff tr.added mark").allTextContents()).toEqual([" * count"]);
  await isAccessible("changes");
  await page.getByRole("button", { name: "Working tree" }).click();
  await page.getByText("Uncommitted changes").waitFor();
  await page.locator(".diff tr.added").first().waitFor();
});

test("cost and context as charts with their figures as text", async () => {
  await open("Cost", "Cost of this session");
  await page.getByRole("img", { name: /Context: \d+ % of the window is used/ }).waitFor();
  await page.getByText("mock/mock-model").first().waitFor();
  await isAccessible("cost");
});

test("permission rules are listed in order, and one that was saved is removed", async () => {
  const rule = { permission: "bash", pattern: "npm test *", action: "allow" };
  await page.goto(new URL(`/app/session/${sessionId}`, server.url).href);
  const status = await page.evaluate(async (given) => {
    const answer = await fetch("/permission/rule", {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ rule: given }),
    });
    return answer.status;
  }, rule);
  expect(status).toBe(200);
  await open("Permissions", "npm test *");
  await isAccessible("permissions");
  const saved = join(site.project, ".kedge/config.local.json");
  expect(JSON.parse(readFileSync(saved, "utf8")).permission).toEqual({ bash: { "npm test *": "allow" } });
  const row = page.getByRole("row").filter({ hasText: "npm test *" });
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByText("Remove this rule?").waitFor();
  await row.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => row.count()).toBe(0);
  expect(JSON.parse(readFileSync(saved, "utf8")).permission).toEqual({});
});

test("hooks, MCP servers, memory and agents", async () => {
  await open("Hooks", "PostToolUse");
  await page.getByText("echo formatted").waitFor();
  await isAccessible("hooks");
  await open("MCP servers", "tracker");
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByText("/does/not/exist").first().waitFor();
  await isAccessible("mcp");
  await open("Memory", "Nothing is waiting for review.");
  await page.getByText("Read by the model of this session").waitFor();
  await isAccessible("memory");
  await open("Agents", "No agents.");
  await page.getByText("explore").first().waitFor();
  await isAccessible("agents");
  await open("Devices", "No paired devices.");
  await page.getByText("This server only accepts connections from its own machine.").waitFor();
  await isAccessible("devices");
});

test("a terminal runs what is typed", async () => {
  await open("Terminal", "No terminal is open.");
  await page.getByRole("button", { name: "New terminal" }).click();
  await page.getByText("Connected").waitFor();
  await page.keyboard.type("echo $((40 + 2))-typed\n");
  await page.locator(".xterm-accessibility").getByText("42-typed").first().waitFor();
  await isAccessible("terminal");
  await page.getByRole("button", { name: "Close terminal" }).click();
  await page.getByRole("button", { name: "Close terminal" }).click();
  await page.getByText("No terminal is open.").waitFor();
});

test("nothing of it came from elsewhere", () => {
  // The policy drops styles that the terminal emulator sets inline; its rules are given as constructed sheets.
  expect(problems.filter((problem) => !problem.startsWith("Applying inline style"))).toEqual([]);
});
