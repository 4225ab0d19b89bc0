/** Proves that what a team wrote for OpenCode, Copilot, Codex and omp works as it is: the shapes their manuals show. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type CodeSite, calls, openCodeSite } from "./code/code-site.ts";

let site: CodeSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** As prompt files write what they ask for. */
const input = (name: string) => `\${input:${name}}`;

/** What tools answered, and why calls were refused, in order. */
async function outputsOf(argv: readonly string[]): Promise<readonly string[]> {
  const { stdout } = (await site?.run([...argv, "--output-format", "stream-json"])) ?? { stdout: "" };
  return stdout.split("\n").flatMap((line) => (line.includes('"tool_result"') ? String(JSON.parse(line).output) : []));
}

test("OpenCode: commands of its settings and folders, tools, and plugins", async () => {
  site = await openCodeSite([
    { text: "Done." },
    calls("database", { query: "select 1" }),
    calls("math_add", { a: 1, b: 2 }),
    { text: "Done." },
    { text: "Done." },
    { text: "Done." },
  ]);
  const command = { template: "Run all tests of $ARGUMENTS", description: "Run tests", model: "anthropic/some-model" };
  site.write(
    "opencode.json",
    JSON.stringify({
      $schema: "https://opencode.ai/config.json",
      command: { test: command },
      instructions: ["CONTRIBUTING.md", "docs/*-guide.md"],
    }),
  );
  site.write("CONTRIBUTING.md", "Word of contributors: quokka\n");
  site.write("docs/style-guide.md", "Word of style: axolotl\n");
  await site.run(["-p", "before trust"]);
  expect(site.lastRequest()).not.toMatch(/quokka|axolotl/);
  site.write(".opencode/command/component.md", "---\ndescription: Make one\nagent: build\n---\nMake $1 in $2\n");
  site.write(
    ".opencode/tool/database.ts",
    'import { tool } from "@opencode-ai/plugin"\nexport default tool({ description: "Query", args: { query: tool.schema.string() }, async execute(args) { return "ran " + args.query } })\n',
  );
  site.write(
    ".opencode/tool/math.ts",
    'import { tool } from "@opencode-ai/plugin"\nexport const add = tool({ description: "Add", args: { a: tool.schema.number(), b: tool.schema.number() }, async execute(args) { return args.a + args.b } })\n',
  );
  site.write(
    ".opencode/plugin/notify.js",
    'export const Notify = async ({ $ }) => ({ event: async ({ event }) => { if (event.type === "session.idle") await $`echo idle >> idle.log` } })\n',
  );
  const allow = ["--trust", "--allow", "database", "--allow", "math_add"];
  expect(await outputsOf(["-p", "go", ...allow])).toEqual(["ran select 1", "3"]);
  expect(site.read("idle.log")).toBe("idle\n");
  expect(site.lastRequest()).toMatch(/quokka.*axolotl/);
  const { stderr } = await site.run(["-p", "/test src", "--trust"]);
  expect(stderr).toContain("anthropic/some-model");
  expect(site.lastRequest()).toContain("Run all tests of src");
  await site.run(["-p", "/component Button ui", "--trust"]);
  expect(site.lastRequest()).toContain("Make Button in ui");
});

test("Copilot: hooks that write logs keep the trust of their project, and prompts ask for their inputs", async () => {
  site = await openCodeSite([
    calls("bash", { command: "rm -rf build", description: "x" }),
    { text: "Done." },
    { text: "Done." },
  ]);
  const hooks = {
    sessionStart: [{ type: "command", bash: 'echo "started" >> logs.txt', powershell: "x", cwd: ".", timeoutSec: 10 }],
    preToolUse: [{ type: "command", bash: "./scripts/check.sh", env: { LEVEL: "strict" } }],
    userPromptSubmitted: [{ type: "command", bash: "cat > prompt.json" }],
  };
  site.write(".github/hooks/hooks.json", JSON.stringify({ version: 1, hooks }));
  site.write(
    "scripts/check.sh",
    'INPUT="$(cat)"\nCOMMAND=$(echo "$INPUT" | jq -r .toolArgs | jq -r .command)\n[ "$LEVEL" = strict ] && case "$COMMAND" in rm*) echo \'{"permissionDecision":"deny","permissionDecisionReason":"Dangerous command"}\';; esac\n',
  );
  site.write(
    ".github/prompts/explain.prompt.md",
    `---\nmode: agent\ndescription: Explain\n---\nExplain ${input("topic:what it is about")} to ${input("who")}\n`,
  );
  chmodSync(`${site.project}/scripts/check.sh`, 0o755);
  await site.run(["trust", "add", "--yes"]);
  expect(await outputsOf(["-p", "go", "--allow", "bash(rm *)"])).toEqual(["Dangerous command"]);
  await site.run(["-p", "/explain caching who='a beginner'"]);
  expect(site.read("logs.txt")).toBe("started\nstarted\n");
  expect(site.lastRequest()).toContain("Explain caching to a beginner");
});

test("Codex: prompts with named values", async () => {
  site = await openCodeSite([{ text: "Done." }]);
  mkdirSync(`${site.directory}/.codex/prompts`, { recursive: true });
  writeFileSync(
    `${site.directory}/.codex/prompts/draft.md`,
    '---\ndescription: Draft\nargument-hint: FILES="<paths>"\n---\nStage $FILES, title $TITLE, keep $HOME\n',
  );
  await site.run(["-p", '/draft FILES="a.ts b.ts" TITLE=Fix']);
  expect(site.lastRequest()).toContain("Stage a.ts b.ts, title Fix, keep $HOME");
});

test("omp: commands, tools made by factories, and hooks as modules and as scripts", async () => {
  site = await openCodeSite([
    calls("hello", { name: "Bo" }),
    calls("bash", { command: "echo blocked", description: "x" }),
    calls("bash", { command: "echo fine", description: "x" }),
    { text: "Done." },
    { text: "Done." },
  ]);
  site.write(".omp/commands/ship.md", "---\ndescription: Ship\n---\nShip $1: $@\n");
  site.write(
    ".omp/tools/hello/index.ts",
    'import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";\nconst factory: CustomToolFactory = (pi) => ({ name: "hello", label: "Hello", description: "Greets", parameters: pi.typebox.Type.Object({ name: pi.typebox.Type.String() }), async execute(id, params, onUpdate, ctx, signal) { return { content: [{ type: "text", text: "Hello, " + params.name + "!" }] }; } });\nexport default factory;\n',
  );
  site.write(
    ".omp/hooks/pre/guard.ts",
    'export default function (pi) {\n  pi.on("tool_call", async (event) => { if (event.toolName === "bash" && event.input.command.includes("blocked")) return { block: true, reason: "omp says no" }; });\n  pi.on("tool_result", async (event) => ({ content: event.content.map((part) => ({ ...part, text: part.text.toUpperCase() })) }));\n}\n',
  );
  site.write(".omp/hooks/pre/bash.sh", "cat > seen.json\n");
  const ran = await outputsOf(["-p", "go", "--trust", "--allow", "hello", "--allow", "bash(echo *)"]);
  expect(ran).toEqual(["HELLO, BO!", "OMP SAYS NO", expect.stringMatching(/^FINE\n?$/)]);
  expect(site.read("seen.json")).toContain('"PreToolUse"');
  await site.run(["-p", "/ship it now", "--trust"]);
  expect(site.lastRequest()).toContain("Ship it: it now");
});

test("nothing of other agents runs before trust", async () => {
  site = await openCodeSite([{ text: "Done." }]);
  site.write(".omp/hooks/pre/guard.ts", 'import { writeFileSync } from "node:fs"; writeFileSync("canary", "");\n');
  site.write(".omp/extensions/start.ts", 'import { writeFileSync } from "node:fs"; writeFileSync("canary", "");\n');
  site.write(".omp/tools/a.ts", 'import { writeFileSync } from "node:fs"; writeFileSync("canary", "");\n');
  site.write(
    ".github/hooks/a.json",
    JSON.stringify({ hooks: { sessionStart: [{ type: "command", bash: "touch canary" }] } }),
  );
  site.write("opencode.json", JSON.stringify({ command: { go: { template: "!`touch canary`" } } }));
  const { stderr } = await site.run(["-p", "go"]);
  const typed = await site.run(["-p", "/go"]);
  expect([site.read("canary"), typed.code]).toEqual([undefined, 2]);
  expect(stderr).toContain("not trusted");
});
