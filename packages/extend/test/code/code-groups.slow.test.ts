/** Proves what groups decide: capabilities, the folder of a plugin, names that are kept, and strikes per session. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CodeBed, call, openCodeBed, toolsOf } from "./code-bed.ts";

let bed: CodeBed;
beforeEach(() => {
  bed = openCodeBed();
});
afterEach(() => bed.close());

const signal = new AbortController().signal;
const phased = (sessionId: string) => ({
  ...{ sessionId, callId: "call_1", tool: "bash", input: { command: "ls" }, needs: [], readOnly: false },
  ...{ cwd: bed.root, mode: "default" as const },
});

test("what a plugin brings beyond its capabilities is named and not used", async () => {
  bed.write(
    "plugin/main.js",
    `export const Main = async () => ({
  tool: { extra: { description: "Extra", execute: () => "x" } },
  "tool.execute.before": async () => {},
  "permission.ask": async (input, output) => { output.status = "deny"; },
});
`,
  );
  const owner = { kind: "plugin", name: "main", root: `${bed.root}/plugin` } as const;
  const files = [`${bed.root}/plugin/main.js`];
  const code = await bed.loadGroup({ files, owner, version: "1", capabilities: ["calls"] });
  expect(code.problems).toEqual([
    "plugin/main.js (plugin main): its hook permission.ask needs the capability permissions, which it does not have.",
    "plugin/main.js (plugin main): its tools need the capability tools, which it does not have.",
  ]);
  expect(toolsOf(code).size).toBe(0);
  expect(code.sessionMoments).toEqual([]);
  expect(code.callPhases.map(({ name }) => name)).toEqual(["plugin:main"]);
});

test("a plugin loads what lies in its folder, packages included, and nothing else", async () => {
  bed.write("store/abc/node_modules/inner/package.json", '{ "name": "inner", "main": "index.js" }');
  bed.write("store/abc/node_modules/inner/index.js", "exports.word = 'inside';");
  bed.write(
    "store/abc/tools/word.js",
    'import inner from "inner";\nexport default { description: "x", execute: () => inner.word };\n',
  );
  bed.write(
    "store/abc/tools/out.js",
    'import "../../outside.js";\nexport default { description: "x", execute: () => "" };\n',
  );
  bed.write("store/outside.js", "");
  const owner = { kind: "plugin", name: "abc", root: `${bed.root}/store/abc` } as const;
  const files = ["word", "out"].map((name) => `${bed.root}/store/abc/tools/${name}.js`);
  const code = await bed.loadGroup({ files, owner, version: "abc", capabilities: ["tools"] });
  expect(code.problems).toEqual([expect.stringContaining("store/outside.js is not part of the trusted files")]);
  expect(await call(code, "word", {})).toMatchObject({ output: "inside" });
});

test("names of servers and of permissions are not taken", async () => {
  const names = ["mcp__github__push", "external_directory", "Skill", "fine"];
  const tools = names.map((name) => `{ name: ${JSON.stringify(name)}, description: "x", execute() {} }`);
  bed.write(".kedge/tools/names.js", `export default [${tools.join(", ")}];\n`);
  const code = await bed.load(".kedge/tools");
  expect([...toolsOf(code).keys()]).toEqual(["fine"]);
  expect(code.problems).toHaveLength(3);
});

test("three failures leave a hook out of their session, and of no other; saying no is no failure", async () => {
  bed.write(
    ".kedge/plugins/judge.js",
    `export default async () => ({ "tool.execute.before": async ({ sessionID }) => {
  if (sessionID === "ses_no") throw new Error("no");
  null.broken;
} });
`,
  );
  const code = await bed.load(".kedge/plugins");
  const [phase] = code.callPhases;
  const decisions = async (sessionId: string) => {
    const made = [];
    for (let round = 0; round < 5; round += 1) made.push((await phase?.before?.(phased(sessionId), signal))?.decision);
    return made;
  };
  expect(await decisions("ses_bug")).toEqual(["refuse", "refuse", "refuse", undefined, undefined]);
  expect(await decisions("ses_no")).toEqual(["refuse", "refuse", "refuse", "refuse", "refuse"]);
  expect(bed.notices).toHaveLength(3);
  expect(bed.notices.at(-1)).toContain("It failed 3 times and is disabled for this session.");
  expect(code.listed()[0]?.disabled).toEqual(["ses_bug tool.execute.before"]);
});
