/** Proves that heavy packages are no part of the program, and are loaded only by a run that uses them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

const root = join(import.meta.dirname, "../../..");
const heavy = /node_modules\/(?:@ai-sdk\/|@openrouter\/|@napi-rs\/keyring|zod\/|ai\/)/;

/** Loaded before the program: writes down, when the process ends, what every require and import led to. */
const recorder = `
const { registerHooks } = require("node:module");
const { writeFileSync } = require("node:fs");
const resolved = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    resolved.add(found.url);
    return found;
  },
});
process.on("exit", () => writeFileSync(process.env.RESOLVED_FILE, JSON.stringify([...resolved])));
`;

let bench: Workbench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** Runs one prompt and returns what was loaded on the way to its answer. */
async function loadedBy(workbench: Workbench): Promise<readonly string[]> {
  const preload = join(workbench.directory, "recorder.cjs");
  const resolvedFile = join(workbench.directory, "resolved.json");
  writeFileSync(preload, recorder);
  const environment = { NODE_OPTIONS: `--require=${preload}`, RESOLVED_FILE: resolvedFile };
  expect(await workbench.run(["-p", "hi"], { environment })).toEqual({ code: 0, stdout: "Fine.\n", stderr: "" });
  if (!existsSync(resolvedFile)) throw new Error("Nothing was recorded.");
  const parsed: unknown = JSON.parse(readFileSync(resolvedFile, "utf8"));
  if (!Array.isArray(parsed)) throw new Error("What was recorded is no list.");
  return parsed.map(String);
}

test("a prompt on a wire of kedge's own loads no heavy package", async () => {
  bench = await openWorkbench([{ text: "Fine." }]);
  const loaded = await loadedBy(bench);
  expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  expect(bench.model.requests).toHaveLength(1);
});

test("a provider with a package is answered through it, and prints nothing else", async () => {
  bench = await openWorkbench([{ text: "Fine." }]);
  const { baseUrl } = bench.model;
  const provider = { x: { api: "ai-sdk", npm: "@ai-sdk/openai-compatible", baseURL: baseUrl, apiKey: "x" } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ model: "x/mock-model", provider }));
  const loaded = await loadedBy(bench);
  expect(loaded.some((url) => url.includes("/@ai-sdk/openai-compatible/"))).toBe(true);
  expect(bench.model.requests[0]?.headers["user-agent"]).toContain("ai-sdk");
});

test("a provider whose package is not installed says how to install it", async () => {
  bench = await openWorkbench([]);
  const provider = { x: { api: "ai-sdk", npm: "@kedge-test/absent", apiKey: "x" } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ model: "x/mock-model", provider }));
  const ended = await bench.run(["-p", "hi"]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toContain("The package @kedge-test/absent is not installed.");
  expect(ended.stderr).toContain("kedge providers install @kedge-test/absent");
});

test.each(["packages/models/src/index.ts", "packages/cli/src/main.ts"])(
  "no package is bundled into %s",
  async (entry) => {
    const { metafile } = await build({
      entryPoints: [join(root, entry)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      outfile: "out.cjs",
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
      external: ["@vscode/ripgrep", "@napi-rs/keyring"],
      logLevel: "silent",
    });
    expect(Object.keys(metafile.inputs).filter((path) => heavy.test(path))).toEqual([]);
  },
);
