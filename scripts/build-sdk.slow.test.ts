/** Proves that the package which is published has a working, typed SDK, for a program that knows nothing else of kedge. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startMockModel } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "./build.ts";
import { buildSdk } from "./build-sdk.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-published-")));
const published = join(directory, "node_modules/kedge");

/** As it is after an installation: the package and what it depends on, beside the program that uses it. */
beforeAll(async () => {
  mkdirSync(published, { recursive: true });
  cpSync(join(root, "package.json"), join(published, "package.json"));
  cpSync(join(root, "README.md"), join(published, "README.md"));
  symlinkSync(join(root, "node_modules"), join(published, "node_modules"));
  const outDirectory = join(published, "dist");
  await build({ root, entry: join(root, "packages/cli/src/main.ts"), outDirectory });
  await buildSdk(root, join(outDirectory, "sdk"));
}, 120_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("what is packed holds the program, the SDK and its types, and no sources", async () => {
  const options = { cwd: published, env: { PATH: process.env["PATH"], HOME: directory } };
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], options);
  const [pack]: readonly { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  const paths = pack?.files.map(({ path }) => path) ?? [];
  const own = ["kedge.js", "main.cjs", "package.json", "sdk/client.d.ts", "sdk/client.js", "sdk/index.d.ts"];
  expect(paths).toEqual(
    expect.arrayContaining([...own, "sdk/index.js", "sdk/package.json"].map((path) => `dist/${path}`)),
  );
  expect(paths.filter((path) => /(?<!\.d)\.ts$|node_modules|\.test\./.test(path))).toEqual([]);
});

test("every declaration leads to another one or to Node", () => {
  const text = readFileSync(join(published, "dist/sdk/types/cli/src/sdk/index.d.ts"), "utf8");
  expect(text).not.toContain("@kedge/");
});

const consumer = `
import { createClient as createBrowserClient } from "kedge/client";
import { type ApiTypes, createClient, createLocal, FailureError, type ProgramTool, type QueryMessage, query } from "kedge/sdk";

const clock: ProgramTool = {
  name: "clock",
  description: "Tells the time.",
  inputSchema: { type: "object", properties: {} },
  isReadOnly: true,
  run: () => "noon",
};

const kedge = await createLocal({ directory: process.argv[2] ?? ".", tools: [clock] });
const seen: QueryMessage["type"][] = [];
for await (const message of query("What time is it?", { client: kedge.client, run: { turnsMax: 5 } })) {
  if (message.type.startsWith("tool-")) seen.push(message.type);
  if (message.type === "result") console.log(message.text, message.cost.usd.toFixed(2));
}
const answer = await kedge.client.send<"session.create">({ type: "session.create" });
if (!answer.ok) throw new FailureError(answer.failure);
const created: ApiTypes["session.create"]["answer"] = answer.value;
const path: "/session/{sessionId}" = "/session/{sessionId}" satisfies ApiTypes["session.delete"]["path"];
const sessionId: string = created.sessionId;
console.log(seen.join(" "), sessionId.startsWith("ses_"), path.length);
await kedge.close();

for (const make of [createClient, createBrowserClient]) {
  const absent = await make({ url: "http://127.0.0.1:9", token: "none" }).ask<"project.read">({ type: "project.read" });
  console.log(absent.ok ? absent.value.directory : absent.failure.code);
}
`;

test("a program that imports it by name is checked by the compiler and runs", async () => {
  const home = join(directory, "home");
  const project = join(directory, "project");
  for (const path of [home, project]) mkdirSync(path, { mode: 0o700 });
  const model = await startMockModel({ script: [{ toolCalls: [{ name: "clock", input: {} }] }, { text: "Noon." }] });
  try {
    const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
    const settings = { model: "mock/mock-model", provider, titles: { enabled: false } };
    writeFileSync(join(home, "config.json"), JSON.stringify(settings));
    writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
    writeFileSync(join(directory, "consumer.ts"), consumer);
    const compilerOptions = {
      ...{ strict: true, module: "nodenext", target: "es2024", noEmit: true, skipLibCheck: false, types: ["node"] },
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", directory]);
    const env = { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home };
    const { stdout } = await run(process.execPath, [join(directory, "consumer.ts"), project], { cwd: directory, env });
    expect(stdout.split("\n")).toEqual([
      "Noon. 0.00",
      "tool-started tool-ended true 20",
      "connection_error",
      "connection_error",
      "",
    ]);
  } finally {
    await model.close();
  }
});
