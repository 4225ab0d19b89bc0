/** A home, a repository, a mock model, the built program as `kedge web`, and Chromium on it: what every test here needs. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { borrowCodeCaches, lendCodeCaches, type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");

export type BrowserOptions = {
  /** A program that starts it, such as one that puts it into another network. */
  readonly program?: string;
  readonly words?: readonly string[];
};

export async function openBrowser({ program, words = [] }: BrowserOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: program ?? process.env["KEDGE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ...words,
    ],
  });
}

export type WebServer = {
  readonly url: string;
  /** Signs a browser in, once. */
  readonly link: string;
  /** Where devices reach it. */
  readonly reach?: ReachedServer;
  readonly process: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

export type ReachedServer = {
  readonly url: string;
  readonly fingerprint: string;
  readonly pairing: { readonly code: string; readonly link: string };
};

export type WebSite = {
  readonly home: string;
  readonly project: string;
  readonly model: MockModel;
  start(argv?: readonly string[], variables?: NodeJS.ProcessEnv): Promise<WebServer>;
  run(argv: readonly string[]): string;
  close(): Promise<void>;
};

export type SiteSettings = { readonly [name: string]: unknown };

export async function openSite(script: MockScript, settings: SiteSettings = {}): Promise<WebSite> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-web-")));
  const home = join(directory, "home");
  const project = join(directory, "project");
  const model = await startMockModel({ script });
  for (const folder of [home, project]) mkdirSync(folder);
  borrowCodeCaches(home);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const models = { "mock-model": { contextTokens: 32_000 }, "mock-two": { contextTokens: 64_000 } };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-test", models } };
  const configuration = { model: "mock/mock-model", provider, titles: { enabled: false }, ...settings };
  writeFileSync(join(home, "config.json"), JSON.stringify(configuration));
  const env = { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, TERM: "dumb" };
  const servers: WebServer[] = [];
  return {
    ...{ home, project, model },
    async start(argv = ["--port", "0"], variables = {}) {
      const words = [entry, "web", "--no-open", "--json", ...argv];
      const child = spawn(process.execPath, words, {
        ...{ cwd: project, env: { ...env, ...variables } },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const server = await ready(child);
      servers.push(server);
      return server;
    },
    run: (argv) => execFileSync(process.execPath, [entry, ...argv], { cwd: project, env, encoding: "utf8" }),
    async close() {
      for (const server of servers) await server.stop("SIGKILL");
      await model.close();
      lendCodeCaches(home);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<WebServer> {
  let told = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    told += chunk.toString("utf8");
  });
  const closed = once(child, "close");
  if (child.stdout === null) throw new Error("no output");
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, "line"), closed.then(() => undefined)]);
  if (first === undefined) throw new Error(`kedge web ended: ${told}`);
  // The form of what `kedge web --json` prints.
  const { url, link, reach } = JSON.parse(String(first[0])) as Pick<WebServer, "url" | "link" | "reach">;
  return {
    ...{ url, link, process: child },
    ...(reach !== undefined && { reach }),
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await closed;
    },
  };
}

export type Visit = { readonly context: BrowserContext; readonly page: Page; readonly problems: readonly string[] };

/** A browser of its own for the page, which notes every error of it and every request to somewhere else. */
export async function visit(browser: Browser, link: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1_440, height = 900, colorScheme = "light", hasClock = false } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !isOfNetwork(message.text())) problems.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(link).origin && protocol.startsWith("http")) problems.push(`request to ${request.url()}`);
  });
  await page.goto(link);
  await page.locator("[data-stream=connected], .sign-in").first().waitFor({ state: "attached" });
  return { context, page, problems };
}

/** For every wait of a page; long enough for a machine that does much else at the same time. */
export const timeoutMs = Number(process.env["KEDGE_WEB_TEST_TIMEOUT_MS"] ?? 90_000);

export type VisitOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** The time of the page can be put forward. */
  readonly hasClock?: boolean;
};

/** The browser logs every refused or broken request by itself. */
function isOfNetwork(text: string): boolean {
  return text.startsWith("Failed to load resource");
}
