import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { build } from "./build.ts";
import { replaceTextCalls } from "./inline-text.ts";

const root = resolve(import.meta.dirname, "..");
const directory = mkdtempSync(join(tmpdir(), "kedge-build-"));
const dist = join(directory, "dist");
const home = join(directory, "home");
const cache = join(home, "cache");

/** A program that does what its first word says. */
const programText = `
import { textBeside } from "@kedge/protocol/text-file";
import { buildId, version } from "${root}/packages/cli/src/start/build-facts.ts";
const greeting = textBeside(import.meta.url, "./greeting.md");
export async function main(argv, worker, passStage): Promise<number> {
  if (argv[1] === "tools") {
    passStage("first tool");
    const work = (count) => Array.from({ length: count }, (_, index) => "tools".at(index)).join("");
    process.stdout.write(work(5) + "\\n");
    return 0;
  }
  switch (argv[0]) {
    case "facts": {
      const { DatabaseSync } = await import("node:sqlite");
      process.stdout.write([greeting, version, buildId, import.meta.url, typeof DatabaseSync].join("|") + "\\n");
      return 0;
    }
    case "warn":
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
      process.emitWarning("something else", "ExperimentalWarning");
      await new Promise((done) => process.once("warning", done));
      return 0;
    case "letters":
      process.stdout.write([/^[…✓😀]+$/u.test("…✓😀"), /^[…✓]$/.test("…"), "…✓😀"].join("|") + "\\n");
      return 0;
    case "throw":
      throw new Error("it broke\\nin two lines");
    case "throw-later":
      setImmediate(() => { throw new Error("it broke later"); });
      return new Promise(() => {});
    default:
      process.stdout.write(argv.join(",") + "\\n");
      return argv[0] === "fail" ? 3 : 0;
  }
}
`;

function writeProgram(name: string, text: string): string {
  const folder = join(directory, name);
  mkdirSync(join(folder, "node_modules/@kedge"), { recursive: true });
  cpSync(join(root, "packages/protocol"), join(folder, "node_modules/@kedge/protocol"), { recursive: true });
  writeFileSync(join(folder, "greeting.md"), "good `day`\n\n");
  writeFileSync(join(folder, "main.ts"), text);
  return join(folder, "main.ts");
}

function run(argv: readonly string[], environment: { readonly [name: string]: string } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, "kedge.js"), ...argv], {
    encoding: "utf8",
    env: { HOME: directory, KEDGE_HOME: home, KEDGE_DEBUG_STARTUP: "1", ...environment },
  });
  return { status, stdout, stderr: withoutStages(stderr) };
}

/** The stages of the start stand beside the outcome of the code cache, each with a time. */
function withoutStages(stderr: string): string {
  return stderr.replace(/^ *\d+\.\d ms {2}(?:guards|program)\n/gm, "");
}

beforeAll(() => build({ root, entry: writeProgram("program", programText), outDirectory: dist }));
beforeEach(() => rmSync(home, { recursive: true, force: true }));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("dist holds three files, and the version needs only the stub", () => {
  expect(readdirSync(dist).sort()).toEqual(["kedge.js", "main.cjs", "package.json"]);
  const alone = join(directory, "alone");
  mkdirSync(alone);
  for (const name of ["kedge.js", "package.json"]) cpSync(join(dist, name), join(alone, name));
  for (const flag of ["--version", "-v"]) {
    expect(execFileSync(process.execPath, [join(alone, "kedge.js"), flag], { encoding: "utf8" })).toBe("kedge 0.1.0\n");
  }
});

test("texts, version, build id and module address are in the bundle, and lazy builtins load silently", () => {
  const buildId = /^\/\*([0-9a-f]{16})\*\//.exec(readFileSync(join(dist, "main.cjs"), "latin1"))?.[1];
  expect(run(["facts"])).toEqual({
    status: 0,
    stdout: `good \`day\`|0.1.0|${buildId}|file://${dist}/main.cjs|function\n`,
    stderr: "code cache: miss\n",
  });
});

test("letters beyond ASCII are the same in the bundle, in texts and in regular expressions", () => {
  expect(readFileSync(join(dist, "main.cjs")).some((byte) => byte > 0x7f)).toBe(false);
  expect(run(["letters"]).stdout).toBe("true|true|…✓😀\n");
});

test("the cache of the first run serves the second, per kind of run, in a private folder", () => {
  expect(run(["-p", "a"])).toEqual({ status: 0, stdout: "-p,a\n", stderr: "code cache: miss\n" });
  expect(run(["-p", "b"])).toEqual({ status: 0, stdout: "-p,b\n", stderr: "code cache: hit\n" });
  expect(run(["--help"]).stderr).toBe("code cache: miss\n");
  expect(readdirSync(cache).length).toBe(2);
  expect([home, cache].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("a failed run leaves no cache", () => {
  expect(run(["fail"])).toEqual({ status: 3, stdout: "fail\n", stderr: "code cache: miss\n" });
  expect(existsSync(cache)).toBe(false);
});

test.each([
  ["one flipped byte in the payload", (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(200) ^ 0x55, 200)],
  ["garbage", (bytes: Buffer) => bytes.fill("x")],
])("a cache damaged by %s is ignored and replaced", (_name, damage) => {
  run(["-p"]);
  const [name = ""] = readdirSync(cache);
  const bytes = readFileSync(join(cache, name));
  damage(bytes);
  writeFileSync(join(cache, name), bytes);

  expect(run(["-p"])).toEqual({ status: 0, stdout: "-p\n", stderr: "code cache: rejected\n" });
  expect(run(["-p"]).stderr).toBe("code cache: hit\n");
});

test("a truncated or empty cache is ignored", () => {
  run(["-p"]);
  const [name = ""] = readdirSync(cache);
  const bytes = readFileSync(join(cache, name));
  for (const length of [0, 10, bytes.length >> 1]) {
    writeFileSync(join(cache, name), bytes.subarray(0, length));
    expect(run(["-p"])).toEqual({ status: 0, stdout: "-p\n", stderr: "code cache: rejected\n" });
  }
});

test("the cache of another build is not used, even under the name of this one", async () => {
  run(["-p"]);
  const [ours = ""] = readdirSync(cache);
  const other = join(directory, "other-dist");
  await build({
    root,
    entry: writeProgram("other", programText.replace("broke later", "broke LATER")),
    outDirectory: other,
  });
  const runOther = () => {
    const { stderr } = spawnSync(process.execPath, [join(other, "kedge.js"), "-p"], {
      encoding: "utf8",
      env: { KEDGE_HOME: home, KEDGE_DEBUG_STARTUP: "1" },
    });
    return withoutStages(stderr);
  };

  expect(runOther()).toBe("code cache: miss\n");
  const theirs = readdirSync(cache).find((name) => name !== ours) ?? "";
  expect(statSync(join(other, "main.cjs")).size).toBe(statSync(join(dist, "main.cjs")).size);
  cpSync(join(cache, ours), join(cache, theirs));
  expect(runOther()).toBe("code cache: rejected\n");
});

test("old caches are removed, the newest stay", () => {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  for (let index = 0; index < 35; index++) writeFileSync(join(cache, `code-old-${index}.bin`), "");
  writeFileSync(join(cache, "other.json"), "{}");
  run(["-p"]);
  const names = readdirSync(cache);
  expect([names.length, names.includes("other.json")]).toEqual([33, true]);
  expect(run(["-p"]).stderr).toBe("code cache: hit\n");
});

test("the cache of a run without tools is replaced by that of one with tools, and not the other way round", () => {
  const bytes = () => readFileSync(join(cache, readdirSync(cache)[0] ?? ""));
  run(["-p"]);
  const plain = bytes();
  expect(run(["-p", "tools"])).toEqual({ status: 0, stdout: "tools\n", stderr: "code cache: hit\n" });
  const rich = bytes();
  expect(rich.length).toBeGreaterThan(plain.length);
  for (const argv of [["-p"], ["-p", "tools"]]) expect(run(argv).stderr).toBe("code cache: hit\n");
  expect(bytes().equals(rich)).toBe(true);
});

test.each(["/proc/none", "/dev/null/home"])("a home that cannot be written (%s) changes nothing", (unwritable) => {
  const expected = { status: 0, stdout: "-p\n", stderr: "code cache: miss\n" };
  expect(run(["-p"], { KEDGE_HOME: unwritable })).toEqual(expected);
});

test("only the warning about sqlite is silenced", () => {
  const { stderr } = run(["warn"], { KEDGE_DEBUG_STARTUP: "0" });
  expect(stderr).toMatch(/^\(node:\d+\) ExperimentalWarning: something else\n/);
  expect(stderr).not.toContain("SQLite");
});

test.each([
  ["throw", "it broke"],
  ["throw-later", "it broke later"],
])("an unexpected error (%s) is one sentence, with the stack on request", (word, message) => {
  const quiet = { KEDGE_DEBUG_STARTUP: "0" };
  expect(run([word], quiet)).toEqual({ status: 1, stdout: "", stderr: `kedge: Unexpected error: ${message}\n` });
  expect(run([word], { ...quiet, KEDGE_DEBUG: "1" }).stderr).toMatch(
    /Unexpected error: .*\nError: it broke[\s\S]*\n +at /,
  );
});

/** A program with a late part, and a count that both parts share. */
function writeLateProgram(name: string, word: string): string {
  const entry = writeProgram(
    name,
    `import { count } from "./count.ts";
export async function main(argv: readonly string[]): Promise<number> {
  count();
  if (argv[0] === "plain") return 0;
  const { tell } = await import("./late.ts");
  process.stdout.write(tell() + "\\n");
  return 0;
}`,
  );
  const folder = join(entry, "..");
  writeFileSync(join(folder, "count.ts"), "let counted = 0;\nexport const count = () => (counted += 1);\n");
  writeFileSync(join(folder, "unused.ts"), 'export const unused = "unused by the first part";\n');
  writeFileSync(join(folder, "names.ts"), 'export * from "./count.ts";\nexport * from "./unused.ts";\n');
  const late = `import { count, unused } from "./names.ts";\nexport const tell = () => ["${word}", count(), unused].join();\n`;
  writeFileSync(join(folder, "late.ts"), late);
  return entry;
}

test("what is imported late is a file of its own that shares modules, with a cache of its own", async () => {
  const out = join(directory, "late-dist");
  await build({ root, entry: writeLateProgram("late", "late words"), outDirectory: out });
  const [lateName = ""] = readdirSync(out).filter((name) => name.startsWith("late-"));
  const main = readFileSync(join(out, "main.cjs"), "latin1");
  expect(lateName).toBe(`late-${/^\/\*([0-9a-f]{16})/.exec(main)?.[1]}.cjs`);
  expect([main.includes("late words"), main.includes("unused by")]).toEqual([false, false]);
  const start = (word: string) => {
    const env = { KEDGE_HOME: home };
    return execFileSync(process.execPath, [join(out, "kedge.js"), word], { encoding: "utf8", env });
  };
  start("plain");
  expect(readdirSync(cache)).toHaveLength(1);
  for (let times = 0; times < 2; times += 1) expect(start("all")).toBe("late words,2,unused by the first part\n");
  expect(readdirSync(cache).filter((name) => name.includes("-late"))).toHaveLength(1);
});

/** Three parts that share a count: a function of the second is called in the first, and both are in the third. */
function writeWorkProgram(): string {
  const entry = writeProgram(
    "work",
    `import { doWork, listWork } from "./names.ts";
import { count } from "./count.ts";
export async function main(argv: readonly string[]): Promise<number> {
  count();
  if (argv[0] === "plain") return 0;
  const done = doWork(argv[0] ?? "", 2);
  if (argv[0] === "work") process.stdout.write([done, ...listWork()].join() + "\\n");
  else process.stdout.write((await import("./late.ts")).tell(done) + "\\n");
  return 0;
}`,
  );
  const folder = join(entry, "..");
  const files = {
    "count.ts": "let counted = 0;\nexport const count = () => (counted += 1);\n",
    "names.ts": 'export { doWork, listWork } from "./work.ts";\nexport type { Work } from "./work.ts";\n',
    "work.ts": `import { count } from "./count.ts";
import { keep } from "./kept.ts";
export type Work = string;
let done = 0;
export function doWork(word: Work, times: number): string {
  done += times;
  keep(word);
  return ["words of the work", word, done, count()].join(" ");
}
export function* listWork(): Generator<number> {
  for (let number = 1; number <= done; number += 1) yield number;
}
`,
    "kept.ts": "export const kept: string[] = [];\nexport const keep = (word: string) => kept.push(word);\n",
    "late.ts": `import { count } from "./count.ts";
import { kept } from "./kept.ts";
import { doWork } from "./work.ts";
export const tell = (before: string) => [before, doWork("again", 3), count(), ...kept].join();
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return entry;
}

test("modules of functions are loaded by the first call of one, and every module is in one part only", async () => {
  const out = join(directory, "work-dist");
  const entry = writeWorkProgram();
  const lateModules = new Map([[relative(root, join(entry, "../work.ts")), "work"]] as const);
  await build({ root, entry, outDirectory: out, lateModules });
  expect(readdirSync(out).map((name) => name.replace(/-\w+\./, "."))).toEqual(
    expect.arrayContaining(["kedge.js", "late.cjs", "main.cjs", "work.cjs"]),
  );
  const withWords = readdirSync(out).filter((name) => readFileSync(join(out, name)).includes("words of the work"));
  expect(withWords).toEqual([expect.stringMatching(/^work-\w{16}\.cjs$/)]);
  const start = (word: string) => {
    const env = { KEDGE_HOME: home };
    return execFileSync(process.execPath, [join(out, "kedge.js"), word], { encoding: "utf8", env });
  };
  const parts = () => [...new Set(readdirSync(cache).map((name) => /-(\w+)\.bin$/.exec(name)?.[1]))].sort();
  start("plain");
  expect(parts()).toEqual(["main"]);
  expect(start("work")).toBe("words of the work work 2 2,1,2\n");
  expect(parts()).toEqual(["main", "work"]);
  for (let times = 0; times < 2; times += 1) {
    expect(start("late")).toBe("words of the work late 2 2,words of the work again 5 3,4,late,again\n");
  }
  expect(parts()).toEqual(["late", "main", "work"]);
});

test("a program that is replaced by a build still finds its late part, and old ones are removed", async () => {
  const out = join(directory, "replaced-dist");
  const before = join(directory, "before-dist");
  await build({ root, entry: writeLateProgram("build-0", "word 0"), outDirectory: out });
  cpSync(out, before, { recursive: true });
  for (let number = 1; number <= 4; number += 1) {
    await build({ root, entry: writeLateProgram(`build-${number}`, `word ${number}`), outDirectory: out });
    // As it was loaded before the build.
    cpSync(join(before, "main.cjs"), join(out, "main.cjs"));
    const started = () =>
      execFileSync(process.execPath, [join(out, "kedge.js"), "all"], { encoding: "utf8", env: { KEDGE_HOME: home } });
    if (number <= 2) expect(started()).toContain("word 0,2");
  }
  expect(readdirSync(out).filter((name) => name.startsWith("late-"))).toHaveLength(3);
});

test("two builds at once leave one working program and no work folder", async () => {
  const out = join(directory, "parallel");
  const script = join(directory, "build-once.ts");
  const options = JSON.stringify({ root, entry: join(directory, "program/main.ts"), outDirectory: out });
  writeFileSync(
    script,
    `import { build } from ${JSON.stringify(join(root, "scripts/build.ts"))};\nawait build(${options});\n`,
  );
  mkdirSync(join(out, ".build-999999999"), { recursive: true });
  execFileSync("sh", ["-c", '"$1" "$2" & first=$!; "$1" "$2" && wait $first', "sh", process.execPath, script]);
  expect(readdirSync(out).sort()).toEqual(["kedge.js", "main.cjs", "package.json"]);
  expect(
    execFileSync(process.execPath, [join(out, "kedge.js"), "-p"], { encoding: "utf8", env: { KEDGE_HOME: home } }),
  ).toBe("-p\n");
});

test("a text whose name is not a literal fails the build with its place", () => {
  expect(replaceTextCalls("const a = 1;\nconst b = textBeside(import.meta.url, name);\n", "/x/y.ts").errors).toEqual([
    {
      text: "textBeside needs import.meta.url and a literal file name to be bundled",
      location: { file: "/x/y.ts", line: 2 },
    },
  ]);
});
