/** Proves that processes which change the same file of kedge's own at once lose nothing of each other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const processes = 10;
const timeoutMs = 180_000;
const program = join(import.meta.dirname, "contending-process.ts");
const numbers = Array.from({ length: processes }, (_, index) => String(index));

let user = "";
let root = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-contending-")));
  root = join(user, "code", "project");
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

async function contend(): Promise<void> {
  const children = numbers.map((number) =>
    spawn(process.execPath, [program, user, root, number], { stdio: "inherit", timeout: timeoutMs }),
  );
  const ends = children.map(async (child) => (await once(child, "exit"))[0] as number | null);
  const ready = () => readdirSync(user).filter((name) => name.startsWith("ready-")).length;
  await expect.poll(ready, { timeout: timeoutMs, interval: 5 }).toBe(processes);
  writeFileSync(join(user, "go"), "");
  expect(await Promise.all(ends)).toEqual(numbers.map(() => 0));
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const home = (name: string) => join(user, ".kedge", name);

test("stored keys, answers about trust and saved rules", { timeout: timeoutMs }, async () => {
  for (const number of numbers) mkdirSync(join(root, number));
  await contend();
  const stored = numbers.map((number) => [`provider-${number}`, { storage: "file", key: `key-${number}` }]);
  expect(readJson(home("credentials.json"))).toEqual({ format: 1, keys: Object.fromEntries(stored) });
  const patterns = numbers.map((number) => [`run ${number}`, "allow"]);
  expect(readJson(join(root, ".kedge", "config.local.json"))).toEqual({
    permission: { bash: Object.fromEntries(patterns) },
  });
  const trusted = Object.keys(readJson(home("trust.json")).workspaces).sort();
  expect(trusted).toEqual([root, ...numbers.map((number) => join(root, number))]);
  expect(readdirSync(join(root, ".kedge"))).toEqual(["config.local.json"]);
  expect(readdirSync(home("")).sort()).toEqual([
    "credentials.json",
    "credentials.json.lock",
    "data",
    "trust.json",
    "trust.json.lock",
  ]);
});
