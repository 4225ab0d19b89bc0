/** Looks at real files: what is listed, what is skipped, and where each look stops. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachineLook, type LookLimits } from "./machine-look.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-look-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, content = "x"): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

function open(limits: Partial<LookLimits> = {}) {
  return createMachineLook({ monotonicMs: () => performance.now(), limits: { timeMs: 10_000, ...limits } });
}

const stateFiles = (others: readonly string[] = []) => ({
  directory: root,
  isWanted: (_: string, name: string) => name.endsWith(".tfstate"),
  others,
});

const relative = (files: readonly { readonly path: string }[]) =>
  files.map(({ path }) => path.slice(root.length + 1)).sort();

test("a listed file carries size, times and the hash of its content", async () => {
  const path = put("infra/a.tfstate", "state");
  const { size, mtimeMs, ctimeMs } = statSync(path);
  const hash = createHash("sha256").update("state").digest("hex");
  expect(await open().list(stateFiles())).toEqual({
    items: [{ path, sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs, hash }],
    isComplete: true,
  });
});

test("ignored files and terraform's folder are looked at, its downloads and those of others are not", async () => {
  put(".gitignore", "*.tfstate\n");
  for (const path of [
    "a.tfstate",
    ".terraform/terraform.tfstate",
    ".terraform/providers/x/a.tfstate",
    "node_modules/x/a.tfstate",
    ".git/a.tfstate",
    "b/node_modules/a.tfstate",
    "b/.terraform/modules/x/a.tfstate",
    "b/c/a.tfstate",
  ])
    put(path);
  const { items } = await open().list(stateFiles());
  expect(relative(items)).toEqual([".terraform/terraform.tfstate", "a.tfstate", "b/c/a.tfstate"]);
});

test("the wish is asked with the folder below the directory", async () => {
  put("a/b/c.txt");
  put("d.txt");
  const asked: string[] = [];
  await open().list({ directory: root, others: [], isWanted: (folder, name) => asked.push(`${folder}:${name}`) > 9 });
  expect(asked.sort()).toEqual([":d.txt", "a/b:c.txt"]);
});

test("other files are listed if they exist, links by what they lead to, and circles of links end", async () => {
  const outside = put("outside/config", "one");
  mkdirSync(join(root, "work"));
  symlinkSync(outside, join(root, "work/linked.tfstate"));
  symlinkSync(join(root, "work"), join(root, "work/circle"));
  const request = { ...stateFiles([outside, join(root, "missing")]), directory: join(root, "work") };
  const { items, isComplete } = await open().list(request);
  const hash = createHash("sha256").update("one").digest("hex");
  expect([relative(items), items.map((file) => file.hash), isComplete]).toEqual([
    ["outside/config", "work/linked.tfstate"],
    [hash, hash],
    true,
  ]);
});

test("what may not be read does not exist, and breaks nothing", async () => {
  mkdirSync(join(root, "folder.tfstate"));
  put("closed/a.tfstate");
  chmodSync(join(root, "closed"), 0o000);
  try {
    const { items, isComplete } = await open().list(stateFiles());
    // The administrator may read everything.
    expect([relative(items), isComplete]).toEqual([process.getuid?.() === 0 ? ["closed/a.tfstate"] : [], true]);
  } finally {
    chmodSync(join(root, "closed"), 0o755);
  }
});

test.each<[string, Partial<LookLimits>, readonly string[]]>([
  ["depth", { depthMax: 1 }, ["1/a.tfstate", "a.tfstate"]],
  ["entries", { entriesMax: 1 }, ["a.tfstate"]],
  ["files", { filesMax: 1 }, ["a.tfstate"]],
  ["time", { timeMs: -1 }, ["a.tfstate"]],
])("a walk ends at the limit of %s and says so, the nearest files being listed", async (_, limits, expected) => {
  put("a.tfstate");
  put("1/a.tfstate");
  put("1/2/a.tfstate");
  const { items, isComplete } = await open(limits).list(stateFiles());
  expect([relative(items), isComplete]).toEqual([expected, false]);
});

test("a file too large to be read is known by its size and times", async () => {
  const path = put("a.tfstate", "0123456789");
  const look = open({ hashedBytesMax: 5 });
  const before = await look.list(stateFiles());
  put("a.tfstate", "9876543210");
  utimesSync(path, 1, 1);
  const after = await look.list(stateFiles());
  expect(after.items[0]?.hash === before.items[0]?.hash).toBe(false);
});

test("changed files are told by a time that an archive cannot set, the latest first", async () => {
  const since = statSync(put("marker")).ctimeMs + 0.001;
  let first = put("first");
  while (statSync(first).ctimeMs < since) first = put("first");
  utimesSync(first, 1, 1);
  let second = put("deep/second");
  while (statSync(second).ctimeMs <= statSync(first).ctimeMs) second = put("deep/second");
  put("node_modules/third");
  const { items, isComplete } = await open().changedSince(root, since);
  expect([items.map(({ path }) => path), isComplete]).toEqual([[second, first], true]);
});

test("a target is measured whole, within the limits", async () => {
  put("build/a", "12345");
  put("build/node_modules/b", "123");
  expect([
    await open().measure(join(root, "build")),
    await open().measure(join(root, "build/a")),
    await open().measure(join(root, "none")),
    await open({ depthMax: 0 }).measure(join(root, "build")),
  ]).toEqual([
    { kind: "folder", files: 2, sizeBytes: 8, isComplete: true },
    { kind: "file", sizeBytes: 5 },
    { kind: "missing" },
    { kind: "folder", files: 1, sizeBytes: 5, isComplete: false },
  ]);
});

test("a text is read up to its limit, and a folder has none", async () => {
  put("small", "text");
  const look = open({ textBytesMax: 4 });
  put("large", "12345");
  expect([
    await look.readText(join(root, "small")),
    await look.readText(join(root, "large")),
    await look.readText(root),
    await look.readText(join(root, "none")),
  ]).toEqual(["text", undefined, undefined, undefined]);
});

test("files are looked at without being read", async () => {
  const path = put("a", "12");
  const { mtimeMs, ctimeMs } = statSync(path);
  expect(await open().lookAt([path, join(root, "none"), root])).toEqual([
    { path, sizeBytes: 2, modifiedMs: mtimeMs, changedMs: ctimeMs },
  ]);
});
