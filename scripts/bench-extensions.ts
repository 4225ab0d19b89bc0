/**
 * Measures what installed extensions cost: a one-shot with 200 skills, 100 commands, 50 hooks and 20 plugins against one
 * with none, in alternating rounds of the built kedge.
 *
 * `node scripts/bench-extensions.ts [rounds]`
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startMockModel } from "@kedge/testing";

const root = resolve(import.meta.dirname, "..");
const rounds = Number(process.argv[2] ?? 15);
const cpuMaxMs = 30;
const bytesMax = 8 * 1024;

type Figures = { readonly cpuMs: number; readonly wallMs: number; readonly requestBytes: number };

/** Ours is the time of the process itself, to the microsecond, until its exit. */
const report = `process.on("exit",()=>{const u=process.cpuUsage();require("node:fs").writeFileSync(process.env.BENCH_OUT,String((u.user+u.system)/1000))})`;

async function main(): Promise<number> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-extensions-")));
  const script = Array.from({ length: 2 * rounds + 4 }, () => ({ text: "Done." }));
  const model = await startMockModel({ script });
  const preload = join(directory, "report.cjs");
  writeFileSync(preload, report);

  async function run(name: string, words: readonly string[]): Promise<Figures> {
    const out = join(directory, "cpu.txt");
    const home = join(directory, name);
    const begun = performance.now();
    const child = spawn(process.execPath, [join(root, "dist/kedge.js"), ...words], {
      cwd: join(home, "project"),
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        KEDGE_HOME: join(home, ".kedge"),
        NODE_OPTIONS: `--require ${preload}`,
        BENCH_OUT: out,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`kedge ${words.join(" ")} ended with ${code}`);
    const wallMs = performance.now() - begun;
    const requestBytes = Buffer.byteLength(JSON.stringify(model.requests.at(-1)?.body ?? {}));
    return { cpuMs: Number(readFileSync(out, "utf8")), wallMs, requestBytes };
  }

  try {
    for (const name of ["none", "many"]) {
      mkdirSync(join(directory, name, "project"), { recursive: true });
      execFileSync("git", ["init", "--quiet"], { cwd: join(directory, name, "project") });
      const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x" } };
      const hooks = name === "many" ? { hooks: hookSettings() } : {};
      put(
        join(directory, name, ".kedge/config.json"),
        JSON.stringify({ model: "mock/mock-model", provider, titles: { enabled: false }, ...hooks }),
      );
    }
    await install(join(directory, "many"), (words) => run("many", words));
    for (const name of ["none", "many"]) await run(name, ["-p", "hi"]);
    const figures: { readonly [name: string]: Figures[] } = { none: [], many: [] };
    for (let round = 0; round < rounds; round++)
      for (const name of ["none", "many"]) figures[name]?.push(await run(name, ["-p", "hi"]));
    return say(figures["none"] ?? [], figures["many"] ?? []);
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function hookSettings() {
  const matchers = ["Bash", "Edit|Write", "Read", "mcp__.*", "WebFetch"];
  const groups = Array.from({ length: 50 }, (_, index) => ({
    matcher: matchers[index % matchers.length],
    hooks: [{ type: "command", command: `echo guard ${index} >/dev/null` }],
  }));
  return { PreToolUse: groups.slice(0, 25), PostToolUse: groups.slice(25) };
}

async function install(home: string, run: (words: readonly string[]) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < 200; index++)
    put(join(home, `.kedge/skills/skill-${index}/SKILL.md`), definition(`skill-${index}`, 60));
  for (let index = 0; index < 100; index++)
    put(join(home, `.kedge/commands/group/command-${index}.md`), definition(undefined, 20));
  for (let index = 0; index < 20; index++) {
    const plugin = join(home, `sources/plugin-${index}`);
    put(
      join(plugin, ".claude-plugin/plugin.json"),
      JSON.stringify({ name: `plugin-${index}`, version: "1.0.0", description: "One of many." }),
    );
    put(join(plugin, "skills/one/SKILL.md"), definition("one", 30));
    put(join(plugin, "commands/two.md"), definition(undefined, 10));
    put(
      join(plugin, "hooks/hooks.json"),
      JSON.stringify({ hooks: { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "true" }] }] } }),
    );
    await run(["plugin", "add", plugin, "--yes"]);
  }
}

function definition(name: string | undefined, lines: number): string {
  const head = `${name === undefined ? "" : `name: ${name}\n`}description: Does a thing that somebody needs now and then, with care and in order.\n`;
  return `---\n${head}---\n# Steps\n\n${"1. Read the file, change what is wrong, and run the tests again.\n".repeat(lines)}`;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function say(none: readonly Figures[], many: readonly Figures[]): number {
  const differences = many.map(({ cpuMs }, index) => cpuMs - (none[index]?.cpuMs ?? 0));
  const walls = many.map(({ wallMs }, index) => wallMs - (none[index]?.wallMs ?? 0));
  const bytes =
    median(many.map(({ requestBytes }) => requestBytes)) - median(none.map(({ requestBytes }) => requestBytes));
  const least = Math.min(...many.map(({ cpuMs }) => cpuMs)) - Math.min(...none.map(({ cpuMs }) => cpuMs));
  process.stdout.write(
    `CPU without ${median(none.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms, with ${median(many.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms\n` +
      `CPU difference: median of pairs ${median(differences).toFixed(1)} ms, of the fastest ${least.toFixed(1)} ms (limit ${cpuMaxMs})\n` +
      `elapsed difference: median of pairs ${median(walls).toFixed(1)} ms\n` +
      `first request: + ${bytes} bytes (limit ${bytesMax})\n`,
  );
  return median(differences) <= cpuMaxMs && bytes <= bytesMax ? 0 : 1;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

process.exitCode = await main();
