/** Proves `kedge config` and profiles as a person meets them, and that the description for editors is current. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsSchema, settingsTable } from "@kedge/host/configuration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([{ text: "Fine." }]);
});
afterEach(() => bench.close());

const root = join(import.meta.dirname, "../../..");

async function config(...words: readonly string[]) {
  const { code, stdout, stderr } = await bench.run(["config", ...words]);
  return code === 0 && stderr === "" ? stdout : { code, stdout, stderr };
}

test("get, set, unset and explain one setting", async () => {
  expect(await config("get", "model")).toBe("mock/mock-model\n");
  expect(await config("set", "model", "mock/other")).toBe("Set in ~/home/config.json.\n");
  expect(await config("get", "model", "--json")).toBe('"mock/other"\n');
  expect(await config("set", "sandbox.mode", "maybe")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'kedge: Nothing changed: ~/home/config.json: sandbox.mode must be one of off, on, got "maybe".\n',
  });
  expect(await config("get", "sandbox.mode")).toBe("off\n");
  writeFileSync(join(bench.project, "kedge.json"), '{\n  "sandbox": { "mode": "off" },\n  "model": "mock/evil"\n}\n');
  await bench.run(["trust", "add"]);
  await config("set", "sandbox.mode", "on");
  expect(await config("explain", "sandbox.mode")).toMatch(
    /^sandbox\.mode\n {4}default: off\n {2}\* user \(~\/home\/config\.json:\d+\): on\n {2}x project \(kedge\.json:2\): off, ignored: a project may not decide what its commands can reach\n$/,
  );
  expect(await config("unset", "sandbox.mode")).toBe("Removed from ~/home/config.json.\n");
  expect(await config("unset", "sandbox.mode")).toBe("No change: already set.\n");
  const explained = await config("explain", "model", "-m", "mock/flag", "--json");
  expect(JSON.parse(String(explained))).toMatchObject({
    settings: [
      {
        key: "model",
        winner: "command-line",
        layers: [
          { layer: "user", value: "mock/other" },
          { layer: "project", value: "mock/evil", line: 3 },
          { layer: "command-line", value: "mock/flag", from: "--model" },
        ],
      },
    ],
  });
});

test("no command shows a key", async () => {
  for (const words of [["explain"], ["explain", "--json"], ["get", "provider"], ["get", "provider.mock.apiKey"]]) {
    const shown = await config(...words);
    expect(JSON.stringify(shown)).not.toContain("key-of-the-test");
  }
  expect(await config("get", "provider.mock.apiKey")).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "kedge: provider.mock.apiKey is set, but secret and not shown.\n",
  });
});

test("list, path, sources and schema", async () => {
  expect(await config("path")).toBe("user  ~/home/config.json\n");
  expect(await config("list")).toContain("titles.enabled");
  mkdirSync(join(bench.project, ".claude"));
  writeFileSync(join(bench.project, ".claude/settings.json"), '{ "permissions": { "deny": ["Bash(rm:*)"] } }');
  expect(await config("explain", "--sources")).toContain(
    ".claude/settings.json (claude): 1 rule used, after kedge's own",
  );
  expect(JSON.parse(String(await config("schema")))).toEqual(settingsSchema());
});

test("what the documents tell of settings is current", () => {
  const hint = "run node scripts/write-settings-schema.ts, then npm run format";
  const written: unknown = JSON.parse(readFileSync(join(root, "docs/kedge.schema.json"), "utf8"));
  expect(written, hint).toEqual(settingsSchema());
  expect(readFileSync(join(root, "docs/settings.md"), "utf8"), hint).toBe(settingsTable());
});

test("wrong usage says how", async () => {
  for (const words of [[], ["get"], ["set", "model"], ["explain", "a", "b"], ["sett", "a", "b"]]) {
    expect(await config(...words)).toMatchObject({ code: 2, stdout: "" });
  }
  expect(await config("get", "modle")).toMatchObject({
    ...{ code: 2, stderr: "kedge: modle is not a setting; the nearest is model.\n" },
  });
});

test("a profile has its own settings, sessions and trust, and says so", async () => {
  const profile = join(bench.home, "profiles/work");
  mkdirSync(profile, { recursive: true });
  const mine = JSON.parse(readFileSync(join(bench.home, "config.json"), "utf8")) as {
    readonly [name: string]: unknown;
  };
  writeFileSync(join(profile, "config.json"), JSON.stringify({ ...mine, model: "mock/of-work" }));
  const ended = await bench.run(["-p", "hi", "--output-format", "stream-json", "--profile", "work"]);
  const init: unknown = JSON.parse(ended.stdout.split("\n")[0] ?? "");
  expect(init).toMatchObject({ type: "init", model: "mock/of-work", profile: "work" });
  expect(existsSync(join(profile, "data/kedge.db"))).toBe(true);
  const listed = await bench.run(["session", "list", "--json"]);
  expect(listed.stdout).not.toContain("mock/of-work");
  const status = await bench.run(["-p", "/status"], { environment: { KEDGE_PROFILE: "work" } });
  expect(status.stdout).toMatch(/profile +work/);
  expect(await bench.run(["-p", "hi", "--profile", "../x"])).toEqual({
    ...{ code: 2, stdout: "" },
    stderr: 'kedge: --profile must be a name made of a-z, 0-9, _ and -, got "../x".\n',
  });
});

test("in the console, /reload tells what changed since the start", async () => {
  const file = join(bench.home, "config.json");
  const other = join(bench.directory, "other.json");
  const mine = JSON.parse(readFileSync(file, "utf8")) as { readonly [name: string]: unknown };
  writeFileSync(other, JSON.stringify({ ...mine, permission: { edit: "deny" }, sandbox: { autoAllow: false } }));
  const { code, stdout } = await bench.run(["--console"], { input: `!cp ${other} ${file}\n/reload\n/reload\n/exit\n` });
  expect(code).toBe(0);
  expect(stdout).toContain("Changed: permission, sandbox.\nsandbox takes effect after a restart.\n");
  expect(stdout).toContain("No setting changed.\n");
});
