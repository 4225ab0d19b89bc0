/** Proves custom tools: every form of file, checked arguments, progress, interruption, renderers, and the cache. */
import { readFileSync } from "node:fs";
import type { Event } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CodeBed, call, openCodeBed, toolsOf } from "./code-bed.ts";

let bed: CodeBed;
beforeEach(() => {
  bed = openCodeBed();
});
afterEach(() => bed.close());

const openCode = `import { tool } from "@opencode-ai/plugin"
export const add = tool({
  description: "Add two numbers",
  args: { a: tool.schema.number().describe("First"), b: tool.schema.number().default(5) },
  async execute(args, context) { return String(args.a + args.b) + " in " + context.directory },
})
export default tool({ description: "Says hello", args: {}, async execute() { return "hello" } })
`;

test("a tool file of OpenCode works unchanged, with its names, schemas and defaults", async () => {
  bed.write(".opencode/tool/math.ts", openCode);
  const code = await bed.load(".opencode/tool");
  expect(code.problems).toEqual([]);
  const tools = toolsOf(code);
  expect([...tools.keys()].sort()).toEqual(["math", "math_add"]);
  expect(tools.get("math_add")?.inputSchema).toEqual({
    type: "object",
    properties: { a: { type: "number", description: "First" }, b: { type: "number", default: 5 } },
    required: ["a"],
  });
  expect(tools.get("math_add")?.needs({}, bed.root)).toEqual([
    { permission: "math_add", patterns: ["*"], always: ["*"], access: "execute" },
  ]);
  expect(await call(code, "math_add", { a: 2 })).toMatchObject({ output: `7 in ${bed.root}` });
  expect(await call(code, "math_add", { a: "two" })).toContain("a: expected number");
  expect(await call(code, "math", {})).toMatchObject({ output: "hello" });
});

test("a factory gets its surroundings, and gives several tools with types, enums and imports", async () => {
  bed.write(".kedge/tools/lib/shout.ts", "export const shout = (text: string): string => text.toUpperCase();\n");
  bed.write(
    ".kedge/tools/pair/index.ts",
    `import { shout } from "../lib/shout";
enum Kind { Loud = "loud" }
export default async ({ cwd, exec, logger, hasUI, ui, z }) => [
  { name: "one", description: "One", parameters: z.object({ text: z.string() }), execute: async ({ text }, ctx) => {
    const { stdout, code, killed } = await exec("printf", ["%s", text]);
    const history = await ctx.history();
    return { output: [Kind.Loud, shout(stdout), code, killed, hasUI, history[0].text, ctx.model, process.env.SHOWN].join(" "), title: "said", metadata: { length: text.length } };
  } },
  { name: "two", description: "Two", parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    execute(id, params, onUpdate, ctx, signal) { onUpdate("half"); return { content: [{ type: "text", text: id + " " + params.n + " " + signal.aborted }] }; } },
];
`,
  );
  const code = await bed.load(".kedge/tools");
  expect(code.problems).toEqual([]);
  expect(await call(code, "one", { text: "hey" })).toEqual({
    output: "loud HEY 0 false false hello mock/model yes",
    title: "said",
    metadata: { length: 3, isTitled: true },
  });
  const progress: string[] = [];
  expect(await call(code, "two", { n: 4 }, { progress })).toMatchObject({ output: "call_1 4 false" });
  expect(progress).toEqual(["half"]);
});

test("older schemas, shells of other runtimes and errors are understood", async () => {
  bed.write(
    ".kedge/tool/old.js",
    `import { Type } from "@sinclair/typebox";
export default { name: "old", description: "Old", parameters: Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }),
  async execute({ a }) { if (a === "no") throw new Error("I cannot do that"); return await Bun.$\`printf '%s' \${a}\`.text(); } };
`,
  );
  const code = await bed.load(".kedge/tool");
  expect(toolsOf(code).get("old")?.inputSchema).toMatchObject({ required: ["a"] });
  expect(await call(code, "old", { a: "it's" })).toMatchObject({ output: "it's" });
  expect(await call(code, "old", { a: "no" })).toEqual({ output: "I cannot do that", isError: true, title: "old" });
});

test("renderers speak for the call and its result, and a broken one leaves the plain text", async () => {
  bed.write(
    ".kedge/tools/drawn.js",
    `const tool = (name, renderResult) => ({ name, description: "Draws", parameters: {}, execute: () => "plain",
  formatApprovalDetails: () => "draws a \\u001b[31mline", renderCall: () => "drawing\\nmore", renderResult });
export default [tool("drawn", (result, { expanded }, theme) => [theme.bold(result.output), String(expanded)]), tool("broken", () => { throw new Error("no"); })];
`,
  );
  const code = await bed.load(".kedge/tools");
  expect(await call(code, "drawn", {})).toEqual({
    output: "plain",
    title: "drawing",
    metadata: { isTitled: true, rendered: "plain\ntrue" },
  });
  expect(await call(code, "broken", {})).toEqual({ output: "plain", title: "drawing", metadata: { isTitled: true } });
  const preview = await toolsOf(code)
    .get("drawn")
    ?.preview?.({}, undefined as never);
  expect(preview).toBe("draws a line");
});

test("an interruption reaches the tool, and one that does not listen is ended", async () => {
  bed.write(
    ".kedge/tools/slow.js",
    `const tool = (name, execute) => ({ name, description: "Waits", parameters: {}, execute });
export default [
  tool("listens", (args, { signal, progress }) => new Promise((done) => { signal.addEventListener("abort", () => done("stopped")); progress("up"); })),
  tool("deaf", (args, { progress }) => { progress("up"); for (;;); }),
  tool("quick", () => "still here"),
];
`,
  );
  const code = await bed.load(".kedge/tools");
  for (const name of ["listens", "deaf"]) {
    const controller = new AbortController();
    const progress = { push: () => controller.abort() } as unknown as string[];
    // The deaf one sends nothing any more, so that it is stopped from outside.
    if (name === "deaf") setImmediate(() => controller.abort());
    expect(await call(code, name, {}, { signal: controller.signal, progress })).toMatchObject({ isError: true });
  }
  expect(await call(code, "quick", {})).toMatchObject({ output: "still here" });
});

test("a known file is not started to be asked what it brings; a changed one is", async () => {
  const path = bed.write(".kedge/tools/count.ts", counting("first"));
  await (await bed.load(".kedge/tools")).close();
  const again = await bed.load(".kedge/tools");
  expect([...toolsOf(again).values()].map(({ description }) => description)).toEqual(["first"]);
  expect(startsOf(path)).toBe(1);
  await call(again, "count", {});
  expect(startsOf(path)).toBe(2);
  bed.write(".kedge/tools/count.ts", counting("second"));
  const changed = await bed.load(".kedge/tools");
  expect([...toolsOf(changed).values()].map(({ description }) => description)).toEqual(["second"]);
  expect(startsOf(path)).toBe(3);
});

test("files that are no code are named and never run; declarations and tests are left alone", async () => {
  for (const name of ["a.md", "b.json", "c.sh", "d.py", "e.d.ts", "f.test.ts", ".hidden.ts"])
    bed.write(`.kedge/tools/${name}`, "x");
  const { findCodeFiles } = await import("../../src/tools/index.ts");
  const { code, metadata } = findCodeFiles(`${bed.root}/.kedge/tools`, bed.root);
  expect([code, metadata.map((path) => path.split("/").at(-1))]).toEqual([[], ["a.md", "b.json", "c.sh", "d.py"]]);
});

function counting(description: string): string {
  return `import { appendFileSync } from "node:fs";
appendFileSync(import.meta.filename + ".starts", "x");
export default { description: ${JSON.stringify(description)}, execute: () => "ok" };
`;
}

function startsOf(path: string): number {
  return readFileSync(`${path}.starts`, "utf8").length;
}

test("a tool that runs hears of its session in the words of omp, and one that throws there stays usable", async () => {
  bed.write(
    "tools/ears.js",
    `const heard = [];
    export default {
      name: "ears", description: "Tells what it heard", parameters: { type: "object", properties: {} },
      onSession(event, ctx) { heard.push(event.type); ctx.setUI((ui, hasUI) => { if (event.type === "start") heard.push(typeof ui.notify + hasUI); }); if (event.type === "tree") throw new Error("no trees"); },
      execute: async () => heard.join(" "),
    };`,
  );
  const code = await bed.load("tools");
  await call(code, "ears", {});
  const fact = (type: string) =>
    ({ kind: "fact", record: { fact: { type, content: [], stepId: "stp_1" } } }) as unknown as Event;
  const retrying = { kind: "signal", signal: { type: "step.retrying" } } as unknown as Event;
  for (const event of [
    ...[fact("session.created"), fact("session.resumed"), fact("prompt.admitted"), fact("step.ended")],
    ...[
      retrying,
      retrying,
      fact("step.ended"),
      fact("leaf.moved"),
      fact("session.reverted"),
      fact("context.compacted"),
      fact("compaction.failed"),
    ],
  ])
    code.hear("ses_1", event);
  const words =
    "start functionfalse switch auto_retry_start auto_retry_end tree branch auto_compaction_end auto_compaction_end";
  await expect.poll(() => call(code, "ears", {})).toMatchObject({ output: words });
});
