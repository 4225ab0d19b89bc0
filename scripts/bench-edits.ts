/**
 * Measures what diagnostics add to an edit: the built kedge makes 50 edits with a real language server, and the same 50
 * with `lsp: false`, in alternating rounds. Every second edit makes an error; each must be told once and never again.
 *
 * `node scripts/bench-edits.ts [rounds] [language …]`
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";

const root = resolve(import.meta.dirname, "..");
const edits = 50;
const addedMsMax = 300;

type Sample = {
  readonly file: string;
  readonly sound: string;
  readonly broken: string;
  readonly beside?: { readonly [path: string]: string };
};

const strict = '{"compilerOptions":{"strict":true,"noEmit":true}}';

const samples: { readonly [language: string]: Sample } = {
  typescript: {
    file: "a.ts",
    sound: "export const count: number = 1;",
    broken: "export const count: number = 'one';",
    beside: { "tsconfig.json": strict },
  },
  typescript400: {
    file: "a.ts",
    sound: "export const count: number = 1;",
    broken: "export const count: number = 'one';",
    beside: {
      "tsconfig.json": strict,
      ...Object.fromEntries(
        Array.from({ length: 400 }, (_, at) => [
          `part-${at}.ts`,
          `export const part${at} = ${at};\nexport function double${at}(by: number): number {\n  return by * part${at};\n}\n`,
        ]),
      ),
    },
  },
  pyright: {
    file: "a.py",
    sound: "count: int = 1",
    broken: "count: int = 'one'",
  },
  bash: {
    file: "a.sh",
    sound: "#!/bin/bash\ngreeting=hello",
    broken: "#!/bin/bash\nlocal greeting=hello",
  },
  json: { file: "a.json", sound: '{"count": 1}', broken: '{"count": }' },
  clangd: { file: "a.c", sound: "int count = 1;", broken: "int count = one;" },
};

/** Of each edit, and what was told with it. */
type Edited = { readonly ms: number; readonly errors: number };

async function main(rounds: number, languages: readonly string[]): Promise<number> {
  let isFine = true;
  for (const language of languages) {
    const sample = samples[language];
    if (sample === undefined) {
      process.stderr.write(`"${language}" is not measured here; choose from ${Object.keys(samples).join(", ")}.\n`);
      return 2;
    }
    const [plain, told]: [Edited[], Edited[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      plain.push(...(await editFile(sample, false)));
      told.push(...(await editFile(sample, true)));
    }
    isFine = say(language, plain, told) && isFine;
  }
  return isFine ? 0 : 1;
}

/** A run of its own: the first edit starts the server and is left out. */
async function editFile({ file, sound, broken, beside = {} }: Sample, isServed: boolean): Promise<readonly Edited[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-edits-")));
  const project = join(directory, "project");
  const edit = (oldString: string, newString: string): MockTurn => ({
    toolCalls: [{ name: "edit", input: { filePath: file, oldString, newString } }],
  });
  const script: MockTurn[] = [{ toolCalls: [{ name: "read", input: { filePath: file } }] }];
  // The first two start the server and let it have read the project.
  for (let at = 0; at < edits + 2; at += 1) script.push(at % 2 === 0 ? edit(sound, broken) : edit(broken, sound));
  const model = await startMockModel({ script });
  try {
    for (const [path, text] of Object.entries({ ...beside, [file]: `${sound}\n` })) put(join(project, path), text);
    execFileSync("git", ["init", "--quiet"], { cwd: project });
    const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x" } };
    const settings = { model: "mock/mock-model", provider, titles: { enabled: false }, formatter: false };
    put(join(directory, ".kedge/config.json"), JSON.stringify({ ...settings, ...(!isServed && { lsp: false }) }));
    const words = ["-p", "go", "--permission-mode", "accept-edits", "--trust", "--max-turns", "100"];
    const child = spawn(process.execPath, [join(root, "dist/kedge.js"), ...words], {
      cwd: project,
      env: {
        PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
        HOME: directory,
        KEDGE_HOME: join(directory, ".kedge"),
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`kedge ended with ${code}`);
    return editsOf(model.requests);
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** From the request that was answered with the edit until the one that has its result. */
function editsOf(requests: readonly MockRequest[]): readonly Edited[] {
  return Array.from({ length: edits }, (_, index) => {
    const at = index + 4;
    const { receivedAtMs: end = 0, body } = requests[at] ?? {};
    const text = String(body?.messages?.findLast(({ role }) => role === "tool")?.content ?? "");
    return { ms: end - (requests[at - 1]?.receivedAtMs ?? 0), errors: (text.match(/ error: /g) ?? []).length };
  });
}

function say(language: string, plain: readonly Edited[], told: readonly Edited[]): boolean {
  const added = median(told.map(({ ms }) => ms)) - median(plain.map(({ ms }) => ms));
  const longest = percentile(
    told.map(({ ms }) => ms),
    0.95,
  );
  // Edits 3, 5, … make the error, the ones between repair it.
  const wrong = told.filter(({ errors }, at) => errors !== (at % 2 === 0 ? 1 : 0)).length;
  process.stdout.write(
    `${language.padEnd(14)} an edit ${median(plain.map(({ ms }) => ms)).toFixed(1)} ms without, ` +
      `${median(told.map(({ ms }) => ms)).toFixed(1)} ms with (95th percentile ${longest.toFixed(1)}): ` +
      `${added.toFixed(1)} ms added; ${told.length} edits, ${wrong} told wrongly\n`,
  );
  return wrong === 0 && (!language.startsWith("typescript") || added <= addedMsMax);
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const [rounds = "2", ...languages] = process.argv.slice(2);
process.exitCode = await main(Number(rounds), languages.length > 0 ? languages : Object.keys(samples));
