/** Proves on every way in which kedge starts a program that no secret reaches one that must not have it. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { allButOwn, canaries, onlyKept, putWitness, reached, reachedIn } from "./secret-environment-canaries.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  terminal = undefined;
  bench = undefined;
});

const bash = (command: string, more: object = {}): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command, description: "for the test", ...more } }],
});

/** Written to a file, so that nothing between the command and the test can hide what it got. */
const tell = (file: string) => `env > ${file}`;

/** The commands run unasked. */
async function open(script: readonly MockTurn[], settings: object = {}): Promise<Workbench> {
  const commands = script.flatMap(({ toolCalls = [] }) =>
    toolCalls.flatMap(({ input }) => (input !== undefined && "command" in input ? [String(input.command)] : [])),
  );
  const permission = { edit: "allow", bash: Object.fromEntries(commands.map((command) => [command, "allow"])) };
  bench = await openWorkbench([...script, { text: "Done." }], { permission, ...settings });
  return bench;
}

/** A directory of witnesses that comes first on the path. */
function witnessPath(opened: Workbench, name: string, next: string): { readonly PATH: string; readonly log: string } {
  const log = join(opened.directory, `${name}.log`);
  putWitness(join(opened.directory, "witnesses", name), { log, next });
  return { PATH: `${join(opened.directory, "witnesses")}:${process.env["PATH"]}`, log };
}

/** What a command prints is redacted on its way to the model, whatever the command was given. */
const nothingSecret = { own: [], foreign: [], kept: ["HARMLESS"] };

const realGit = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
const goOn = `exec ${realGit} "$@"`;

test("headless, commands in front and in the background keep only what wrapper scripts need", async () => {
  const { run, project, model } = await open([
    bash(tell("front.txt")),
    bash(`${tell("job.txt")}; echo written`, { background: true }),
    { toolCalls: [{ name: "job", input: { poll: ["job_1"] } }] },
    bash("env"),
  ]);
  expect(await run(["-p", "go"], { environment: canaries })).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(reachedIn(join(project, "front.txt"))).toEqual(onlyKept);
  expect(reachedIn(join(project, "job.txt"))).toEqual(onlyKept);
  const sent = model.requests.map(({ raw, headers }) => `${raw}${JSON.stringify(headers)}`).join("");
  expect(reached(sent)).toEqual(nothingSecret);
});

test("with a person beside it, commands keep the user's keys and never kedge's own", async () => {
  const { run, project, model } = await open([
    bash(tell("front.txt")),
    bash(`${tell("job.txt")}; echo written`, { background: true }),
    { toolCalls: [{ name: "job", input: { poll: ["job_1"] } }] },
    bash("env"),
  ]);
  const input = `go on\n!${tell("line.txt")}\n!env\n`;
  const { code, stdout } = await run(["--console"], { input, environment: canaries });
  expect(code).toBe(0);
  expect(reachedIn(join(project, "front.txt"))).toEqual(allButOwn);
  expect(reachedIn(join(project, "job.txt"))).toEqual(allButOwn);
  expect(reachedIn(join(project, "line.txt"))).toEqual(allButOwn);
  expect(reached(stdout).own).toEqual([]);
  const sent = model.requests.map(({ raw }) => String(raw)).join("");
  expect(reached(sent)).toEqual(nothingSecret);
});

test("a command on a terminal of its own is no exception", async () => {
  const opened = await open([bash(`tty > tty.txt; ${tell("pty.txt")}`, { pty: true })]);
  const environment = { ...canaries, KEDGE_CATALOGUE_URL: "off" };
  terminal = openTerminal(opened, ["--console", "go on"], { environment });
  await terminal.shows("Done.");
  expect(readFileSync(join(opened.project, "tty.txt"), "utf8")).toMatch(/^\/dev\/pts\/\d+\n$/);
  expect(reachedIn(join(opened.project, "pty.txt"))).toEqual(allButOwn);
});

test("reading the user's start-up files is no exception", async () => {
  const { run, directory, project } = await open([bash(tell("front.txt"))], { bash: { rcSnapshot: true } });
  const log = join(directory, "start-up.log");
  writeFileSync(join(directory, ".bashrc"), `env >> ${log}\n`);
  expect(await run(["-p", "go"], { environment: canaries })).toMatchObject({ code: 0 });
  expect(reachedIn(log)).toEqual(onlyKept);
  expect(reachedIn(join(project, "front.txt"))).toEqual(onlyKept);
});

test.each([["-p", "go"], ["--console"]])("the git of snapshots gets no secret, started with %s", async (...argv) => {
  const opened = await open([{ toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "a" } }] }]);
  const { PATH, log } = witnessPath(opened, "git", goOn);
  const { code } = await opened.run(argv, { environment: { ...canaries, PATH }, input: "go on\n/undo\n" });
  expect(code).toBe(0);
  expect(reachedIn(log)).toEqual(onlyKept);
});

test("the git that the doctor tries gets none", async () => {
  const opened = await open([]);
  const { PATH, log } = witnessPath(opened, "git", goOn);
  expect(await opened.run(["doctor"], { environment: { ...canaries, PATH } })).toMatchObject({ code: 0 });
  expect(reachedIn(log)).toEqual(onlyKept);
});

test("ripgrep gets none", async () => {
  const opened = await open([
    { toolCalls: [{ name: "grep", input: { pattern: "x" } }] },
    { toolCalls: [{ name: "glob", input: { pattern: "*" } }] },
  ]);
  // It is found beside the program, so the program is put where another one lies beside it.
  const program = join(opened.directory, "program");
  const log = join(opened.directory, "rg.log");
  cpSync(join(import.meta.dirname, "../../../dist"), join(program, "dist"), { recursive: true });
  const packageName = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  putWitness(join(program, "node_modules", packageName, "bin/rg"), { log, next: "exit 1" });
  const child = spawn(process.execPath, [join(program, "dist/kedge.js"), "-p", "go"], {
    cwd: opened.project,
    env: { PATH: process.env["PATH"], HOME: opened.directory, KEDGE_HOME: opened.home, ...canaries },
  });
  child.stdin.end();
  expect(await ended(child)).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(reachedIn(log)).toEqual(onlyKept);
});

/** Looks at the environments of all processes that it may look at, as a program would that is after keys. */
const look = `import glob, os
found = b""
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        name = open(os.path.dirname(path) + "/cmdline", "rb").read()
        if b"kedge.js" in name or os.path.dirname(path) == "/proc/%d" % os.getppid():
            found += path.encode() + b" " + open(path, "rb").read() + b"\\n"
    except OSError:
        pass
open("seen.txt", "wb").write(found)
`;

test("a child that looks at the start of its parents finds no secret there", async () => {
  const { run, project } = await open([bash("python3 look.py")]);
  writeFileSync(join(project, "look.py"), look);
  expect(await run(["-p", "go"], { environment: canaries })).toMatchObject({ code: 0, stdout: "Done.\n" });
  const seen = readFileSync(join(project, "seen.txt"), "latin1");
  expect(seen).toContain("KEDGE_HOME=");
  expect(reached(seen)).toEqual(onlyKept);
});

/** Reads what it was left open, and of every process it may look at the start and the memory. */
const lookDeeper = `import glob, os, re, sys
found = b""
for name in os.listdir("/proc/self/fd"):
    try:
        number = int(name)
        if number > 2:
            os.set_blocking(number, False)
            found += b"descriptor " + os.readlink("/proc/self/fd/" + name).encode() + b" " + (os.read(number, 1000000) or b"") + b"\\n"
    except OSError:
        pass
processes = 0
for path in glob.glob("/proc/[0-9]*") if len(sys.argv) > 1 else []:
    if path == "/proc/%d" % os.getpid():
        continue
    processes += 1
    try:
        found += open(path + "/environ", "rb").read() + b"\\n"
        with open(path + "/mem", "rb") as memory:
            for line in open(path + "/maps"):
                area = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
                if area:
                    start, end = int(area.group(1), 16), int(area.group(2), 16)
                    try:
                        memory.seek(start)
                        found += b"\\n".join(re.findall(rb"canary-of-[a-z_]+\\.", memory.read(end - start)))
                    except (OSError, ValueError, OverflowError):
                        pass
    except OSError:
        pass
open("deeper.txt", "wb").write(found + b"\\nprocesses %d\\n" % processes)
`;

test("a child is left no open descriptor with a secret in it", async () => {
  const { run, project } = await open([bash("python3 look.py")]);
  writeFileSync(join(project, "look.py"), lookDeeper);
  expect(await run(["-p", "go"], { environment: canaries })).toMatchObject({ code: 0, stdout: "Done.\n" });
  const seen = readFileSync(join(project, "deeper.txt"), "latin1");
  expect({ seen: reached(seen), isDone: seen.endsWith("\nprocesses 0\n") }).toEqual({
    seen: { own: [], foreign: [], kept: [] },
    isDone: true,
  });
});

test("in the sandbox, a child finds no secret in the memory of any process that it can see", async () => {
  const { run, project } = await open([bash("python3 look.py all")], { sandbox: { mode: "on" } });
  writeFileSync(join(project, "look.py"), lookDeeper);
  expect(await run(["-p", "go"], { environment: canaries })).toMatchObject({ code: 0, stdout: "Done.\n" });
  const seen = readFileSync(join(project, "deeper.txt"), "latin1");
  expect(seen).toMatch(/\nprocesses [1-9]\d*\n$/);
  const { own, foreign } = reached(seen);
  expect({ own, foreign }).toEqual({ own: [], foreign: [] });
});

test("the npm that installs packages of vendors gets none", async () => {
  const opened = await open([]);
  const { PATH, log } = witnessPath(opened, "npm", "exit 1");
  await opened.run(["providers", "install", "amazon-bedrock"], { environment: { ...canaries, PATH } });
  expect(reachedIn(log)).toEqual(onlyKept);
});

test("servers, formatters, hooks and tools of others get none", async () => {
  const opened = await openWorkbench([
    { toolCalls: [{ name: "write", input: { filePath: "a.odd", content: "text" } }] },
    { toolCalls: [{ name: "told", input: {} }] },
    { text: "Done." },
  ]);
  bench = opened;
  const { directory, home, project } = opened;
  const log = (name: string) => join(directory, `${name}.log`);
  const witness = (name: string) => {
    const path = join(directory, `witness-${name}`);
    putWitness(path, { log: log(name), next: "exit 1" });
    return path;
  };
  const settings = {
    ...JSON.parse(readFileSync(join(home, "config.json"), "utf8")),
    permission: { edit: "allow", told: "allow" },
    mcp: { odd: { command: witness("mcp") } },
    lsp: { odd: { command: [witness("lsp")], extensions: [".odd"] } },
    formatter: { odd: { command: [witness("formatter"), "$FILE"], extensions: [".odd"] } },
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `${witness("hook")}; exit 0` }] }] },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings));
  mkdirSync(join(project, ".kedge/tools"), { recursive: true });
  writeFileSync(
    join(project, ".kedge/tools/told.ts"),
    `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(log("tool"))}, JSON.stringify(process.env));
export default { description: "tells", args: {}, execute: async () => "told" };
`,
  );
  const { stderr, code } = await opened.run(["-p", "go", "--trust"], { environment: canaries });
  expect(code, stderr).toBe(0);
  const kinds = ["mcp", "lsp", "formatter", "hook", "tool"];
  const got = kinds.map((kind) => [kind, reachedIn(log(kind))] as const);
  for (const [kind, { own, foreign, kept }] of got) {
    expect({ kind, own, foreign }).toEqual({ kind, own: [], foreign: [] });
    expect(kept, kind).toContain("HARMLESS");
  }
});
