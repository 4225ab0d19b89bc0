/** Proves `kedge providers` end to end, with the user's npm and without a network. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** Nothing listens there: what is not on this machine cannot be had. */
const offline = {
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_fetch_retries: "0",
  PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
};

/** A vendor's package that answers without any network. */
const source = `
const parts = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "From the package." },
  { type: "text-end", id: "0" },
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} },
];
const model = { specificationVersion: "v4", doGenerate: async () => ({}), doStream: async () => ({ stream: ReadableStream.from(parts) }) };
export const createVendor = () => ({ languageModel: () => model });
`;

function makePackage(folder: string): string {
  mkdirSync(folder);
  const described = { name: "kedge-test-vendor", version: "1.2.3", type: "module", exports: "./index.js" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(described));
  writeFileSync(join(folder, "index.js"), source);
  return folder;
}

test("a package is installed, listed and then answers", async () => {
  bench = await openWorkbench([]);
  const spec = `kedge-test-vendor@file:${makePackage(join(bench.directory, "vendor"))}`;
  expect(await bench.run(["providers", "list"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "No provider packages installed. Install one with kedge providers install <provider>.\n",
  });
  expect(await bench.run(["providers", "install", spec], { environment: offline })).toEqual({
    code: 0,
    stdout: "Installed kedge-test-vendor 1.2.3.\n",
    stderr: `Installing ${spec} into ${bench.home}/packages …\n`,
  });
  expect((await bench.run(["providers", "list"])).stdout).toBe("kedge-test-vendor 1.2.3\n");
  expect(JSON.parse((await bench.run(["providers", "list", "--json"])).stdout)).toEqual([
    { packageName: "kedge-test-vendor", version: "1.2.3" },
  ]);
  const provider = { x: { api: "ai-sdk", npm: "kedge-test-vendor", apiKey: "x" } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ model: "x/any", provider }));
  expect(await bench.run(["-p", "hi"])).toEqual({ code: 0, stdout: "From the package.\n", stderr: "" });
});

test("a package that cannot be had is one sentence", async () => {
  bench = await openWorkbench([]);
  const ended = await bench.run(["providers", "install", "cohere"], { environment: offline });
  expect(ended).toEqual({
    code: 1,
    stdout: "",
    stderr: [
      `Installing @ai-sdk/cohere@4.0.52 into ${bench.home}/packages …`,
      "kedge: @ai-sdk/cohere@4.0.52 could not be installed: the registry cannot be reached (ECONNREFUSED). Check the name and version, or try again later.",
      "",
    ].join("\n"),
  });
});

test.each([[["install"]], [["remove", "cohere"]], [["list", "all"]], [["install", "../x"]]])(
  "%j is a wrong use",
  async (words) => {
    bench = await openWorkbench([]);
    const ended = await bench.run(["providers", ...words]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: "" });
  },
);
