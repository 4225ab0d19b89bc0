/** A home, a git repository and a mock model for one end-to-end test, and kedge run in them as a process of its own. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  borrowCodeCaches,
  isCodeCache,
  lendCodeCaches,
  type MockModel,
  type MockScript,
  startMockModel,
} from "@kedge/testing";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type RunOptions = {
  /** Piped in and closed; nothing is piped without it. */
  readonly input?: string;
  readonly environment?: { readonly [name: string]: string };
  readonly cwd?: string;
};

export type Workbench = {
  readonly directory: string;
  readonly home: string;
  readonly project: string;
  readonly model: MockModel;
  run(argv: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Started, with its input left open. */
  start(argv: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  close(): Promise<void>;
};

export async function openWorkbench(
  script: MockScript,
  settings: { readonly [name: string]: unknown } = {},
  /** What settings say about the mock model, such as its prices; nothing is known about it without. */
  modelSettings?: { readonly [name: string]: unknown },
): Promise<Workbench> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-cli-")));
  const home = join(directory, "home");
  const project = join(directory, "project");
  const model = await startMockModel({ script });
  mkdirSync(home);
  borrowCodeCaches(home);
  mkdirSync(project);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const models = modelSettings === undefined ? {} : { models: { "mock-model": modelSettings } };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-test", ...models } };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ model: "mock/mock-model", provider, titles: { enabled: false }, ...settings }),
  );
  const environment = { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, TERM: "dumb" };
  const start = (argv: readonly string[], options: RunOptions = {}) =>
    spawn(process.execPath, [entry, ...argv], {
      cwd: options.cwd ?? project,
      env: { ...environment, ...options.environment },
    });
  return {
    directory,
    home,
    project,
    model,
    start,
    run: (argv, options = {}) => {
      const child = start(argv, options);
      child.stdin.end(options.input ?? "");
      return ended(child);
    },
    close: async () => {
      await model.close();
      lendCodeCaches(home);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Every byte of a home but for what the test itself wrote there, and for compiled code, which is large and of the program alone. */
export function storedTexts(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "config.json" && !isCodeCache(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  // A program that ends before it reads its input is a result, not an accident of the test.
  child.stdin.on("error", () => {});
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}

/** Resolves once the text has appeared on the stream. */
export async function appeared(child: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  let seen = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString("utf8");
      if (seen.includes(text)) resolve();
    });
    child.on("close", () => reject(new Error(`ended before ${JSON.stringify(text)} appeared:\n${seen}`)));
  });
}
