/**
 * Measures what instruction files cost: a one-shot in a trusted project with one AGENTS.md of 4 KB against one in the
 * same project without it, in alternating rounds of the built kedge.
 *
 * `node scripts/bench-instructions.ts [rounds]`
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startMockModel } from "@kedge/testing";

const root = resolve(import.meta.dirname, "..");
const rounds = Number(process.argv[2] ?? 15);
const ratioMax = 1.1;
const bytesOfFile = 4_096;

type Figures = { readonly cpuMs: number; readonly wallMs: number; readonly requestBytes: number };
type Kind = "without" | "with";
const kinds: readonly Kind[] = ["without", "with"];

/** Ours is the time of the process itself, to the microsecond, until its exit. */
const report = `process.on("exit",()=>{const u=process.cpuUsage();require("node:fs").writeFileSync(process.env.BENCH_OUT,String((u.user+u.system)/1000))})`;

/** Ordinary prose about a project, cut at the size that is measured. */
function instructionText(): string {
  const sections = ["Commands", "Layout", "Style", "Tests", "Commits", "Reviews"].map(
    (title, index) =>
      `## ${title}\n\n- Run \`npm run check-${index}\` before each commit, and \`npm test -- --run\` for one package.\n` +
      `- Code of \`packages/part-${index}/src\` imports nothing from \`packages/app\`; shared types are in \`types.ts\`.\n` +
      "- Prefer small functions with full names; a comment says why, never what.\n" +
      "- Errors of the outside world are return values: `{ ok: false, reason }`. Bugs throw.\n\n",
  );
  const text = `# Shop\n\n${sections.join("")}`;
  return text.repeat(Math.ceil(bytesOfFile / text.length)).slice(0, bytesOfFile);
}

async function main(): Promise<number> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-instructions-")));
  const script = Array.from({ length: 2 * rounds + 4 }, () => ({ text: "Done." }));
  const model = await startMockModel({ script });
  const preload = join(directory, "report.cjs");
  writeFileSync(preload, report);

  async function run(kind: Kind, words: readonly string[]): Promise<Figures> {
    const out = join(directory, "cpu.txt");
    const home = join(directory, kind);
    const begun = performance.now();
    const child = spawn(process.execPath, ["--require", preload, join(root, "dist/kedge.js"), ...words], {
      cwd: join(home, "project"),
      env: { PATH: process.env["PATH"], HOME: home, KEDGE_HOME: join(home, ".kedge"), BENCH_OUT: out },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`kedge ${words.join(" ")} ended with ${code}`);
    const wallMs = performance.now() - begun;
    const requestBytes = model.requests.at(-1)?.raw.length ?? 0;
    return { cpuMs: Number(readFileSync(out, "utf8")), wallMs, requestBytes };
  }

  try {
    for (const kind of kinds) plant(join(directory, kind), kind, model.baseUrl);
    // The other project has nothing to trust, as it would be for its user.
    await run("with", ["trust", "add"]);
    // The first starts of a build write its code caches.
    for (const kind of [...kinds, ...kinds]) await run(kind, ["-p", "hi"]);
    const figures: Readonly<Record<Kind, Figures[]>> = { without: [], with: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
        figures[kind].push(await run(kind, ["-p", "hi"]));
    return say(figures);
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function plant(home: string, kind: Kind, baseURL: string): void {
  const project = join(home, "project");
  for (let file = 0; file < 120; file += 1) put(join(project, `src/part-${file % 10}/file-${file}.ts`), "export {};\n");
  put(join(project, "README.md"), "# Shop\n");
  if (kind === "with") put(join(project, "AGENTS.md"), instructionText());
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const provider = { mock: { api: "openai-chat", baseURL, apiKey: "x" } };
  put(
    join(home, ".kedge/config.json"),
    JSON.stringify({ model: "mock/mock-model", provider, titles: { enabled: false } }),
  );
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function say(figures: Readonly<Record<Kind, readonly Figures[]>>): number {
  const middle = (kind: Kind, figure: keyof Figures) => median(figures[kind].map((each) => each[figure]));
  const line = (name: string, figure: "wallMs" | "cpuMs") => {
    const [without, withFile] = [middle("without", figure), middle("with", figure)];
    const single = figures.with.map((each, round) => each[figure] / (figures.without[round]?.[figure] ?? 1));
    const spread = `single rounds ${Math.min(...single).toFixed(2)}–${Math.max(...single).toFixed(2)}`;
    return `${name} without ${without.toFixed(1)} ms, with ${withFile.toFixed(1)} ms, ratio ${(withFile / without).toFixed(2)} (${spread})\n`;
  };
  const bytes = middle("with", "requestBytes") - middle("without", "requestBytes");
  const ratio = middle("with", "wallMs") / middle("without", "wallMs");
  process.stdout.write(
    `${line("elapsed", "wallMs")}${line("CPU", "cpuMs")}first request: + ${bytes} bytes for a file of ${bytesOfFile}\n` +
      `limit of the elapsed time: ${ratioMax} × without\n`,
  );
  return ratio <= ratioMax ? 0 : 1;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

process.exitCode = await main();
