/** Takes the pictures of the web app for the documents from the built program: `node packages/web/test/screenshots.ts`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openSite, visit, type WebServer, type WebSite } from "./web-site.ts";

const pictures = resolve(import.meta.dirname, "../../../docs/img");

const files: { readonly [path: string]: string } = {
  "README.md": "# Shop\n\nA small shop.\n",
  "src/cart.ts": `import type { Item } from "./item.ts";

/** What a customer pays for everything in the cart. */
export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`,
  "src/item.ts": "export type Item = { readonly name: string; readonly price: number; readonly count: number };\n",
  "test/cart.test.ts":
    'import { expect, test } from "vitest";\nimport { total } from "../src/cart.ts";\n\n' +
    'test("the total counts every piece", () => {\n' +
    '  expect(total([{ name: "Pen", price: 2, count: 3 }])).toBe(6);\n});\n',
};

const explanation = `The total ignores how many pieces of an item are in the cart:

- \`sum += item.price\` adds each item **once**.
- \`Item\` has a \`count\`, which nothing reads yet.

I multiply the price by the count, and then run the tests.`;

const todos = [
  { content: "Find why the total is too low", status: "completed" },
  { content: "Count every piece in total()", status: "in_progress" },
  { content: "Run the tests", status: "pending" },
];

const call = (name: string, input: { readonly [field: string]: unknown }) => ({ name, input });
const usage = { input: 8_240, output: 412, cached: 6_100 };

/** One session that is fixed and asks before it runs the tests; every other one says a sentence. */
function answer({ body }: MockRequest): MockTurn {
  const prompt = JSON.stringify(body.messages?.findLast(({ role }) => role === "user"));
  if (!prompt.includes("total is too low"))
    return { text: "Done. Both files are formatted and the tests pass.", usage };
  const results = body.messages?.filter(({ role }) => role === "tool").length ?? 0;
  const oldString = "    sum += item.price;";
  const newString = "    sum += item.price * item.count;";
  if (results === 0) {
    const reads = ["src/cart.ts", "src/item.ts"].map((filePath) => call("read", { filePath }));
    return { reasoning: "The cart comes first.", toolCalls: [...reads, call("todo_write", { todos })], usage };
  }
  if (results === 3) {
    return { text: explanation, toolCalls: [call("edit", { filePath: "src/cart.ts", oldString, newString })], usage };
  }
  if (results > 4) return { text: "The total counts every piece now, and the tests pass.", usage };
  return {
    toolCalls: [call("bash", { command: "npm test -- test/cart.test.ts", description: "Run the tests" })],
    usage,
  };
}

async function main(): Promise<void> {
  const browser = await openBrowser();
  const site = await openSite(answer);
  try {
    priceModels(site);
    writeProject(site);
    const server = await site.start();
    mkdirSync(pictures, { recursive: true });
    await takeAll(browser, server);
  } finally {
    await browser.close();
    await site.close();
  }
}

/** So that there is a cost to show. */
function priceModels({ home }: WebSite): void {
  const path = join(home, "config.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  for (const model of Object.values<{ [name: string]: unknown }>(settings.provider.mock.models)) {
    model["cost"] = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  }
  writeFileSync(path, JSON.stringify(settings));
}

function writeProject({ project }: WebSite): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=kedge", "-c", "user.email=kedge@example.com", ...words], { cwd: project });
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
}

async function takeAll(browser: Browser, server: WebServer): Promise<void> {
  const { page } = await visit(browser, server.link);
  for (const text of ["Format the sources", "Explain the cart to a new colleague"]) {
    await page.locator("#prompt").fill(text);
    await page.keyboard.press("Enter");
    await page.getByText("Done. Both files").first().waitFor();
    await page.goto(`${server.url}/app`);
    await page.locator("#prompt").waitFor();
  }
  await page.locator("#prompt").fill("The total is too low when there are several pieces of an item. Fix it.");
  await page.keyboard.press("Enter");
  await page.getByText("Edit src/cart.ts?").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "web-dark");
  await page.setViewportSize({ width: 360, height: 740 });
  await picture(page, "web-phone");
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await allow(page);
  await page.getByText("Run this command?").waitFor();
  await picture(page, "web-light");
  await allow(page);
  await page.getByText("The total counts every piece now").first().waitFor();
  await page.getByRole("link", { name: "Cost", exact: true }).click();
  await page.getByText("Cost of this session").waitFor();
  await page.getByRole("img", { name: "By model" }).waitFor();
  await picture(page, "web-cost");
}

async function allow(page: Page): Promise<void> {
  await page.locator(".choices[aria-busy=false]").waitFor();
  await page.keyboard.press("y");
}

/** After colours have come to the code in it, and the page is drawn with them. */
async function picture(page: Page, name: string): Promise<void> {
  const code = page.locator(".syntaxKeyword").first();
  if ((await page.locator("pre code, .diff").count()) > 0)
    await code.waitFor({ timeout: 2_000 }).catch(() => undefined);
  await page.evaluate(nameProject);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled", caret: "hide" });
  process.stdout.write(`docs/img/${name}.png\n`);
}

/** The directory has another name each time; it is shown as `~/shop`. */
function nameProject(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.nodeValue ?? "";
    if (node.parentElement?.className === "side-place") node.nodeValue = "shop";
    else if (text.includes("/kedge-web-")) node.nodeValue = text.replace(/\S*\/kedge-web-\w+\/project/, "~/shop");
  }
}

await main();
