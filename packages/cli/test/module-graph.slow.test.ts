/** Proves that heavy packages and parts of other kinds of run are loaded only by a run that uses them. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, expect, test } from "vitest";
import { ended, openWorkbench, type RunOptions, type Workbench } from "./workbench.ts";

const root = join(import.meta.dirname, "../../..");
const heavy = /node_modules\/(?:@ai-sdk\/|@openrouter\/|@napi-rs\/keyring|zod\/|ai\/)/;

/** What only servers, editors, terminals, telemetry or settings in YAML need. */
const ofOtherRuns =
  /node_modules\/(?:hono|@hono|zod|ws|yaml|pg[^/]*|postgres-[^/]*|@agentclientprotocol|@opentelemetry|@lydell\/node-pty|linkedom|unpdf)\//;

/** Folders of the host that a plain run leaves alone, and the files in them that belong to every start. */
const foldersOfOtherRuns: { readonly [folder: string]: readonly string[] } = {
  desk: ["create-door.ts"],
  explain: [],
  replay: [],
  // Whether an account is stored is seen in the file of keys.
  "sign-in": ["sign-in-settings.ts", "late-account.ts"],
  // These find out whether it is on, and note what happens until the first sending; that one loads the rest.
  telemetry: [
    "telemetry-settings.ts",
    "create-telemetry.ts",
    "collector.ts",
    "note-facts.ts",
    "note-calls.ts",
    "note-runs.ts",
    "watched-session.ts",
    "amounts.ts",
    "gen-ai-words.ts",
  ],
  transcripts: ["transcript-settings.ts", "transcript-place.ts"],
};

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

type Environment = NonNullable<RunOptions["environment"]>;

/** Runs one prompt and returns what was loaded on the way to its answer. */
async function loadedBy(workbench: Workbench): Promise<readonly string[]> {
  return recordedBy(workbench, async (environment) => {
    expect(await workbench.run(["-p", "hi"], { environment })).toEqual({ code: 0, stdout: "Fine.\n", stderr: "" });
  });
}

async function recordedBy({ directory }: Workbench, run: (environment: Environment) => Promise<void>) {
  const preload = join(directory, "recorder.cjs");
  const resolvedFile = join(directory, "resolved.json");
  writeFileSync(preload, recorder);
  await run({ NODE_OPTIONS: `--require=${preload}`, RESOLVED_FILE: resolvedFile });
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

const plainRuns: readonly (readonly [string, readonly string[], string])[] = [
  ["a prompt", ["-p", "hi"], ""],
  ["the console", ["--console"], "hi\n"],
];

test.each(plainRuns)("%s loads no package of another kind of run", async (_, argv, input) => {
  bench = await openWorkbench([{ text: "Fine." }]);
  const { run } = bench;
  const loaded = await recordedBy(bench, async (environment) => {
    expect(await run(argv, { input, environment })).toMatchObject({ code: 0, stderr: "" });
  });
  expect(loaded.filter((url) => ofOtherRuns.test(url))).toEqual([]);
  expect(bench.model.requests).toHaveLength(1);
});

/** From the sources, because in the bundle all files are one. What is a lazy import there is one here. */
test.each(plainRuns)("%s loads nothing of the server, the desk, terminals, replays", async (_, argv, input) => {
  bench = await openWorkbench([{ text: "Fine." }]);
  const { directory, home, project } = bench;
  const loaded = await recordedBy(bench, async (environment) => {
    const child = spawn(process.execPath, [join(root, "packages/cli/src/run.ts"), ...argv], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, ...environment },
    });
    child.stdin.end(input);
    expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringContaining("Fine.") });
  });
  const ownFiles = loaded.flatMap((url) => /\/packages\/host\/src\/(.+)$/.exec(url)?.[1] ?? []);
  expect(ownFiles).toContain("desk/create-door.ts");
  const unwanted = ownFiles.filter((file) => {
    const [folder = "", name = ""] = file.split("/");
    return foldersOfOtherRuns[folder]?.includes(name) === false;
  });
  expect(unwanted).toEqual([]);
  expect(loaded.filter((url) => url.includes("/packages/server/"))).toEqual([]);
  expect(loaded.filter((url) => ofOtherRuns.test(url))).toEqual([]);
  // The rows of commands cost 2 ms, and only servers and their clients read them.
  expect(loaded.filter((url) => /\/protocol\/src\/(?:schema|rows\/\w+-rows)\.ts$/.test(url))).toEqual([]);
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
      // The server and the protocols bring packages of their own, which stay outside of the program as well.
      external: [
        "@vscode/ripgrep",
        "@napi-rs/keyring",
        "@modelcontextprotocol/*",
        "@kedge/host/server",
        "@kedge/host/acp",
      ],
      logLevel: "silent",
    });
    expect(Object.keys(metafile.inputs).filter((path) => heavy.test(path))).toEqual([]);
  },
);
