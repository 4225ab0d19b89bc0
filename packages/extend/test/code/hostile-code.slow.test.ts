/** Proves that code of others cannot take kedge with it: it is named, left out, and everything else works. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CodeBed, call, openCodeBed, toolsOf } from "./code-bed.ts";

let bed: CodeBed;
beforeEach(() => {
  bed = openCodeBed();
});
afterEach(() => bed.close());

const good = 'export default { description: "Good", execute: () => "good " + ({}).polluted };\n';

async function besideGood(text: string) {
  bed.write(".kedge/tools/bad.ts", text);
  bed.write(".kedge/tools/good.ts", good);
  const code = await bed.load(".kedge/tools");
  expect(await call(code, "good", {})).toMatchObject({ output: "good undefined" });
  return code;
}

const asTool = (body: string) => `import fs from "node:fs";
export default { description: "Bad", parameters: {}, async execute(args, ctx) { ${body} } };
`;

test.each([
  ["throws", 'throw new Error("not today");', "not today"],
  ["is no code", "export default {{{", ""],
  ["exits", "process.exit(3);", "its process exited with code 3"],
  ["kills itself", 'process.kill(process.pid, "SIGKILL");', "its process was killed by SIGKILL"],
  ["imports what is missing", 'import "a-package-that-is-not-there";', "a-package-that-is-not-there"],
  [
    "writes to the channel",
    'import fs from "node:fs"; fs.writeSync(3, "garbage\\n"); await new Promise(() => {});',
    "unreadable",
  ],
  ["exports nothing", "export const a = 1;", "exports no tool and no hook"],
  ["exports rubbish", 'export default { description: "x", parameters: 5, execute() {} };', "not a schema"],
])("a file that %s at load is named, and the others work", async (_, text, problem) => {
  const code = await besideGood(text);
  expect(code.problems).toEqual([expect.stringContaining(".kedge/tools/bad.ts")]);
  expect(code.problems[0]).toContain(problem);
  expect([...toolsOf(code).keys()]).toEqual(["good"]);
});

test.each([
  ["loops for ever", "for (;;);"],
  ["never settles", "await new Promise(() => setInterval(() => {}, 1000));"],
])("a file that %s at load costs its time limit twice, and then nothing until it changes", async (_, text) => {
  await bed.close();
  bed = openCodeBed({ loadMs: 3_000 });
  bed.write(".kedge/tools/bad.ts", `${text}\nexport {};\n`);
  const problems = [];
  for (let start = 0; start < 3; start += 1) problems.push(...(await bed.load(".kedge/tools")).problems);
  expect(problems).toEqual([
    expect.stringContaining("it did not respond within 3 s"),
    expect.stringContaining("it did not respond within 3 s"),
    expect.stringContaining("Change the file to retry"),
  ]);
});

test.each([
  ["exits", "process.exit(0);", "its process exited with code 0"],
  [
    "floods the channel",
    'for (let sent = 0; sent < 9 * 1024 * 1024; ) { try { sent += fs.writeSync(3, "x".repeat(65536)); } catch {} } await new Promise(() => {});',
    "too much",
  ],
  ["gives back what is no JSON", "const a = {}; a.a = a; return { output: '', metadata: a };", "JSON"],
  ["gives back too much", 'return "x".repeat(20 * 1024 * 1024);', "larger than"],
  ["fills its memory", "const a = []; for (;;) a.push(new Array(1e6).fill({}));", "its process"],
  ["throws nothing", "throw undefined;", "undefined"],
])("a tool that %s fails alone", async (_, body, problem) => {
  const code = await besideGood(asTool(body));
  const ended = await call(code, "bad", {});
  expect(ended).toMatchObject({ isError: true, output: expect.stringContaining(problem) });
  expect(await call(code, "good", {})).toMatchObject({ output: "good undefined" });
});

test("floods and escape sequences on every descriptor reach nobody, and pollution stays where it is", async () => {
  const body = `
    for (let round = 0; round < 200; round += 1) { console.log("x".repeat(10_000)); process.stdout.write("y".repeat(10_000)); }
    for (let fd = 4; fd < 64; fd += 1) { try { fs.writeSync(fd, "\\u001b[2Jinherited"); } catch {} }
    fs.writeSync(1, "\\u001b[2J"); fs.writeSync(2, "\\u001b[2J");
    Object.prototype.polluted = "yes"; Array.prototype.map = () => []; JSON.parse = () => ({});
    return "done";`;
  const code = await besideGood(asTool(body));
  expect(await call(code, "bad", {})).toMatchObject({ output: "done" });
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(await call(code, "good", {})).toMatchObject({ output: "good undefined" });
  const bad = code.listed().find(({ file }) => file.endsWith("bad.ts"));
  expect(bad?.logs.length).toBeLessThanOrEqual(200);
});

test("a tool whose process ends three times is not used any more, and says so", async () => {
  const code = await besideGood(asTool("process.exit(1);"));
  for (let round = 0; round < 3; round += 1) await call(code, "bad", {});
  expect([...toolsOf(code).keys()]).toEqual(["good"]);
  expect(bed.notices).toEqual([expect.stringContaining("is disabled for this session")]);
});

test("what changed since it was trusted does not run: the file, what it imports, and what was not named", async () => {
  const canary = (name: string) => `require("node:fs").writeFileSync(${JSON.stringify(join(bed.root, name))}, "ran");`;
  bed.write(".kedge/lib/part.cjs", "exports.part = 1;\n");
  const main = `import part from "../lib/part.cjs";\nexport default { description: "x", execute: () => String(part.part) };\n`;
  bed.write(".kedge/tools/main.ts", main);
  const code = await bed.load(".kedge/tools");
  expect(await call(code, "main", {})).toMatchObject({ output: "1" });
  await code.close();
  const again = await bed.load(".kedge/tools");
  writeFileSync(join(bed.root, ".kedge/lib/part.cjs"), canary("imported"));
  expect(await call(again, "main", {})).toMatchObject({
    isError: true,
    output: expect.stringContaining("part.cjs changed since it was trusted"),
  });
  expect(existsSync(join(bed.root, "imported"))).toBe(false);
});

test("a file that nobody was told of is not loaded, however it is named", async () => {
  bed.write("elsewhere.cjs", `require("node:fs").writeFileSync(${JSON.stringify(join(bed.root, "canary"))}, "ran");`);
  const sly = 'await import("../../" + "elsewhere.cjs");\nexport default { description: "x", execute() {} };\n';
  bed.write(".kedge/tools/sly.ts", sly);
  const code = await bed.load(".kedge/tools");
  expect(code.problems.join()).toContain("elsewhere.cjs is not part of the trusted files");
  expect(existsSync(join(bed.root, "canary"))).toBe(false);
});

test("a package that changed since it was first used does not run, until the project is trusted again", async () => {
  bed.write("node_modules/dep/package.json", '{ "name": "dep", "main": "index.js" }');
  bed.write("node_modules/dep/index.js", "exports.word = 'one';");
  bed.write(
    ".kedge/tools/uses.ts",
    'import dep from "dep";\nexport default { description: "x", execute: () => dep.word };\n',
  );
  const first = await bed.load(".kedge/tools");
  expect(await call(first, "uses", {})).toMatchObject({ output: "one" });
  await first.close();
  bed.write("node_modules/dep/index.js", "exports.word = 'two';");
  const second = await bed.load(".kedge/tools");
  expect(await call(second, "uses", {})).toMatchObject({ output: expect.stringContaining("dep/index.js changed") });
  const trusted = await bed.load(".kedge/tools", "2");
  expect(await call(trusted, "uses", {})).toMatchObject({ output: "two" });
});

test("everything that code starts ends with it", async () => {
  const code = await besideGood(
    asTool(`const { spawn } = await import("node:child_process");
    const child = spawn("sleep", ["300"], { stdio: "ignore" }); fs.writeFileSync(${JSON.stringify("pid")}, String(child.pid)); return "ok";`),
  );
  expect(await call(code, "bad", {})).toMatchObject({ output: "ok" });
  const pid = Number(readFileSync(join(bed.root, "pid"), "utf8"));
  await code.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** Without those that nobody has waited for yet. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
