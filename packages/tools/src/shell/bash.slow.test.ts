import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { type BashParts, createBashTool } from "./bash.ts";
import { createShellDirectory } from "./shell-directory.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const command = (text: string, rest = {}) => ({ command: text, description: "test", ...rest });

const quietEnd = { signal: null, durationMs: 0, timedOut: false, interrupted: false, truncated: false };
const silence = { stdoutBytes: 0, stderrBytes: 0, stderrRanges: [] };

/** A bash of its own, with a memory for its directory and short graces. */
function openBash(parts: Partial<BashParts> = {}) {
  const shellDirectory = createShellDirectory({
    isInside: (path) => realpathSync(path).startsWith(workshop.directory),
  });
  const tool = createBashTool({
    shellPath: "/bin/bash",
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "", CANARY: "from the environment" }),
    now: () => 0,
    shellGraces: { timeoutMs: 100, abortMs: 100, drainMs: 50, killMs: 500 },
    shellDirectory,
    ...parts,
  });
  const parsed = (input: object) => {
    const result = tool.parse(input);
    if (!result.ok) throw new Error(result.report);
    return result.input;
  };
  return {
    tool,
    parsed,
    validate: async (text: string, rest = {}) => tool.validate?.(parsed(command(text, rest)), workshop.newContext()),
    run: (text: string, rest = {}, context: ToolContext = workshop.newContext()): Promise<ToolOutput> =>
      tool.run(parsed(command(text, rest)), context),
    output: async (text: string, rest = {}) =>
      (await tool.run(parsed(command(text, rest)), workshop.newContext())).output,
  };
}

test("gives output and exit code; another code than 0 is said and is no error", async () => {
  const bash = openBash();
  expect(await bash.run("echo out; exit 3")).toEqual({
    output: "out\nCommand exited with code 3",
    title: "test",
    metadata: { exitCode: 3, ...quietEnd, ...silence, stdoutBytes: 4 },
  });
  expect(await bash.output("printf text")).toBe("text");
  expect(await bash.output("true")).toBe("(no output)");
  expect(await bash.output("false")).toBe("(no output)\nCommand exited with code 1");
  expect(await bash.run("kill -9 $$")).toMatchObject({
    output: "(no output)\nCommand was ended by SIGKILL",
    metadata: { exitCode: null, signal: "SIGKILL" },
  });
});

test("a command without a description runs under its own text", async () => {
  const bash = openBash();
  for (const input of [{ command: "printf text" }, { command: "printf text", description: null }]) {
    expect(await bash.tool.run(bash.parsed(input), workshop.newContext())).toMatchObject({
      output: "text",
      title: "printf text",
    });
  }
});

test("merges both streams and tells them apart in the account", async () => {
  const pausing = "echo one; sleep 0.05; echo twö >&2; sleep 0.05; echo three";
  expect(await openBash().run(pausing)).toMatchObject({
    output: "one\ntwö\nthree\n",
    metadata: { stdoutBytes: 10, stderrBytes: 5, stderrRanges: [[4, 9]] },
  });
});

test("input is closed, pagers, editors and prompts are off, the call's own variables win", async () => {
  const bash = openBash();
  const show = 'cat; echo "$PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT $CI $CANARY $HOME."';
  expect(await bash.output(show)).toBe("cat true 0 1 from the environment .\n");
  expect(await bash.output(show, { env: { PAGER: "less", HOME: "/ho me" } })).toBe(
    "less true 0 1 from the environment /ho me.\n",
  );
  expect(bash.tool.parse(command("ls", { env: { "A-B": "1" } }))).toEqual({
    ok: false,
    report: 'env: "A-B" is not a variable name',
  });
  expect(bash.tool.needs(bash.parsed(command("ls", { env: { A: "it's", B: "2" } })), "/here")).toEqual([
    {
      permission: "bash",
      patterns: ["A='it'\\''s' B=2 ls"],
      always: ["A='it'\\''s' B=2 ls"],
      access: "execute",
      paths: ["/here"],
    },
  ]);
});

test("a directory that was entered stays for the next call, the one asked for does not", async () => {
  workshop.put("sub/deep/a", "");
  const bash = openBash();
  const { directory } = workshop;
  expect(await bash.output("pwd", { workdir: "sub" })).toBe(`${directory}/sub\n`);
  for (const name of ["cwd", "directory"]) {
    expect(await bash.output("pwd", { [name]: "sub/deep" })).toBe(`${directory}/sub/deep\n`);
  }
  expect(bash.parsed(command("ls", { run_in_background: true }))).toMatchObject({ background: true });
  expect(await bash.output("cd sub; exit 4")).toBe(
    `(no output)\nThe working directory is now ${directory}/sub.\nCommand exited with code 4`,
  );
  // Named as long as it is not the directory of the session.
  const inSub = `The working directory is ${directory}/sub.`;
  expect(await bash.output("cd deep && ls")).toBe(`a\n${inSub}`);
  expect(await bash.output("pwd")).toBe(`${directory}/sub\n${inSub}`);
  expect(await bash.output("cd deep; ls")).toBe(`a\nThe working directory is now ${directory}/sub/deep.`);
  // What is asked for counts from the directory of the session, as for the file tools.
  const inDeep = `The working directory is ${directory}/sub/deep.`;
  expect(await bash.output("pwd", { workdir: "sub" })).toBe(`${directory}/sub\n${inDeep}`);
  expect(bash.tool.needs(bash.parsed(command("ls", { workdir: "x" })), directory)).toMatchObject([
    { paths: [`${directory}/x`] },
  ]);
  expect(await bash.output("(cd /); pwd")).toBe(`${directory}/sub/deep\n${inDeep}`);
  expect(await bash.output("cd ../..; rm -r sub/deep; exec 3>&1; echo x >&3; trap - EXIT")).toBe("x\n");
  // The place it remembers is gone, so it starts over.
  expect(await bash.output("pwd")).toBe(`${directory}\n`);
});

test("the shell may not stay outside, not even behind a link; links inside keep their name", async () => {
  const bash = openBash();
  symlinkSync(tmpdir(), workshop.at("out"));
  mkdirSync(workshop.at("real"));
  symlinkSync("real", workshop.at("link"));
  const { directory } = workshop;
  const refused = (place: string) =>
    `(no output)\n${place} is not an allowed directory; the next command starts in ${directory}.`;
  expect(await bash.output("cd /")).toBe(refused("/"));
  expect(await bash.output("cd out")).toBe(refused(`${directory}/out`));
  expect(await bash.output("cd link; pwd")).toBe(`${directory}/link\nThe working directory is now ${directory}/link.`);
  expect(await bash.output("pwd; cd ..")).toBe(`${directory}/link\nThe working directory is now ${directory}.`);
});

test("variables, functions and options do not last", async () => {
  const bash = openBash();
  await bash.output("export A=1; f() { :; }; set -f");
  expect(await bash.output('echo "$A"; type -t f; set -o | grep noglob')).toBe("\nnoglob         \toff\n");
});

test("characters that arrive in pieces stay whole, broken ones are replaced, binary output is harmless", async () => {
  const bash = openBash();
  expect(await bash.output("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'; printf '\\xe2'")).toBe("€\uFFFD");
  const { output, metadata } = await bash.run("head -c 100000 /dev/urandom");
  expect(metadata).toMatchObject({ exitCode: 0, truncated: true });
  // Nothing but text is left: tab, line feed and printable characters.
  expect([...output].filter((character) => /\p{Cc}/u.test(character) && !"\t\n".includes(character))).toEqual([]);
});

test("long output is cut in the middle by lines, and the result says where all of it is", async () => {
  const { output, metadata } = await openBash().run("seq 1 100000");
  const path = workshop.artifacts.pathOf(0);
  const numbers = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join("");
  // The sink of the workshop keeps 6,000 bytes of the head and 4,000 of the tail.
  const head = numbers(1, 1_421);
  const tail = numbers(99_335, 100_000);
  const shown = `${head}[… ${588_895 - head.length - tail.length} bytes left out: lines 1422-99334 …]\n${tail}`;
  expect([head.length, tail.length]).toEqual([5_998, 3_997]);
  expect(
    output === `${shown}All output: artifact://0 (${path}); read a part of it with filePath artifact://0:100-200.`,
  ).toBe(true);
  expect(metadata).toEqual({
    exitCode: 0,
    ...quietEnd,
    truncated: true,
    ...silence,
    stdoutBytes: 588_895,
    cut: {
      direction: "middle",
      truncatedBy: "bytes",
      shownRange: [
        [1, 1_421],
        [99_335, 100_000],
      ],
      totalLines: 100_000,
      totalBytes: 588_895,
      outputLines: 2_088,
      outputBytes: Buffer.byteLength(shown),
      artifactId: 0,
    },
  });
  expect(workshop.text(".artifacts/0.test.log") === numbers(1, 100_000)).toBe(true);
});

test("10 MB in one line are cut to their first columns", async () => {
  const { output, metadata } = await openBash().run("head -c 10000000 /dev/zero | tr '\\0' x; echo end");
  expect(metadata).toMatchObject({ truncated: true, stdoutBytes: 10_000_004, cut: { truncatedBy: "columns" } });
  expect(output).toMatch(/^x{768}\[… 9999235 characters\]\nAll output: artifact:\/\/0 /);
});

test("a command over its time is ended and told what to do", async () => {
  const { output, metadata } = await openBash().run("echo begun; sleep 1000", { timeout: 1 });
  expect(metadata).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: true, interrupted: false });
  expect(output).toBe(
    "begun\nCommand timed out after 1 s and was ended. Give it a longer timeout or background: true.",
  );
  expect(openBash().tool.parse(command("ls", { timeout: 0.5 })).ok).toBe(false);
});

test("an aborted call starts nothing", async () => {
  const bash = openBash();
  const result = await bash.run("touch started", {}, workshop.newContext(AbortSignal.abort()));
  expect(result).toMatchObject({ isError: true, metadata: { interrupted: true } });
  expect(await bash.output("ls")).toBe("(no output)");
});

test("waiting, missing directories and impossible commands are refused before they run", async () => {
  const bash = openBash();
  workshop.put("file", "");
  for (const text of ["sleep 6", "  sleep 10; ls", "sleep 1m && ls", "sleep infinity", "sleep 3 3", "command sleep 9"])
    expect(await bash.validate(text), text).toMatch(/^Do not wait with sleep .* background: true/);
  for (const text of [
    "while true; do curl localhost; sleep 1; done",
    "until curl -s localhost; do sleep 2; done",
    "while ! nc -z localhost 80\ndo\n  sleep 1\ndone",
    "for ((;;)); do date; sleep 1; done",
  ])
    expect(await bash.validate(text), text).toMatch(/^The loop may never end/);
  for (const text of [
    "sleep 5",
    "sleep 0.5; ls",
    "sleepy 60",
    "echo sleep 60",
    "while read line; do echo $line; done < file",
    "for i in 1 2 3; do curl x && break; sleep 1; done",
    "n=0; until curl x || [ $n -ge 9 ]; do n=$((n+1)); sleep 1; done",
    "echo 'while true; do sleep 1; done'",
  ])
    expect(await bash.validate(text), text).toBeUndefined();
  expect(await bash.validate("sleep 60", { background: true })).toBeUndefined();
  const { at } = workshop;
  expect(await bash.validate("ls", { workdir: "none" })).toBe(`The working directory ${at("none")} does not exist.`);
  expect(await bash.validate("cd file && ls")).toBe(`The working directory ${at("file")} is not a directory.`);
  expect(await bash.validate("a\0b")).toBe("The command contains a NUL character, which no shell accepts.");
  expect(await bash.validate("  ")).toBe("The command is empty.");
});

test("a command or an environment too large for the system is an error in words", async () => {
  const bash = openBash();
  for (const result of [
    await bash.run(`: ${"x".repeat(3_000_000)}`),
    await bash.run("ls", { env: { HUGE: "x".repeat(3_000_000) } }),
  ]) {
    expect(result.isError).toBe(true);
    expect(result.output).toMatch(/^The (?:command could not be started|shell did not start): /);
  }
});

test("a large environment below the limit reaches the command", async () => {
  const names = Array.from({ length: 500 }, (_, index) => [`VARIABLE_${index}`, "x".repeat(1_000)]);
  expect(await openBash().output("env | grep -c ^VARIABLE_", { env: Object.fromEntries(names) })).toBe("500\n");
});

test("a shell that is not bash runs the same commands, without a memory of its directory", async () => {
  const bash = openBash({ shellPath: "/bin/sh" });
  workshop.put("sub/a", "");
  expect(await bash.output("cd sub; ls")).toBe("a\n");
  expect(await bash.output("ls; exit 2")).toBe("sub\nCommand exited with code 2");
});

test("a prefix stands before every command, and whoever permits it sees that", async () => {
  const bash = openBash({ bash: { prefix: " WHO=me; " } });
  expect(await bash.output("echo $WHO")).toBe("me\n");
  expect(bash.tool.needs(bash.parsed(command("ls", { env: { A: "1" } })), "/here")).toMatchObject([
    { patterns: ["A=1 WHO=me; ls"], always: ["A=1 WHO=me; ls"] },
  ]);
  const { output } = await bash.run("echo $WHO", { background: true });
  expect(output).toMatch(/^Started as job_1: WHO=me; echo \$WHO\n/);
  await workshop.jobs.close();
});

test("no call waits longer than the settings allow, and the model is told how long", async () => {
  const timeoutOf = (maxTimeout: number) => openBash({ bash: { maxTimeout } }).tool.inputSchema.properties?.["timeout"];
  expect(timeoutOf(600)?.description).toBe("seconds; default 120, at most 600");
  expect(timeoutOf(9_999)?.description).toBe("seconds; default 120, at most 3600");
  const bash = openBash({ bash: { maxTimeout: 1 } });
  expect(await bash.output("true; sleep 1000", { timeout: 500 })).toMatch(/Command timed out after 1 s and was ended/);
});

test("a final head stays where the settings say so", () => {
  const parsed = (stripTrailingHeadTail: boolean) =>
    openBash({ bash: { stripTrailingHeadTail } }).parsed(command("cd sub && ls 2>&1 | head -3"));
  expect(parsed(true)).toMatchObject({ command: "ls", workdir: "sub" });
  expect(parsed(false)).toMatchObject({ command: "ls 2>&1 | head -3", workdir: "sub" });
});

test("noise of known programs is left out, the original is kept, and the last row says where", async () => {
  workshop.put("noise.sh", 'for i in $(seq $1); do echo "gcc -O2 -Wall -c source/$i.c -o build/$i.o"; done');
  workshop.put("Makefile", "all:\n\t@sh noise.sh 50\n\t@echo warning: odd\n\t@sleep 0.1; exit 3\n");
  const noise = Array.from({ length: 50 }, (_, index) => {
    return `gcc -O2 -Wall -c source/${index + 1}.c -o build/${index + 1}.o\n`;
  });
  const rest = "warning: odd\nmake: *** [Makefile:4: all] Error 3\n";
  const bash = openBash();
  expect(await bash.run("make")).toMatchObject({
    output: `[… 50 lines: compiled …]\n${rest}(50 lines shortened; original: artifact://0)\nCommand exited with code 2`,
    metadata: { exitCode: 2, truncated: false, stderrRanges: [], shortenedLines: 50, originalArtifactId: 0 },
  });
  const original = noise.join("") + rest;
  expect(workshop.text(".artifacts/0.bash-original.log")).toBe(original);
  expect(await openBash({ bash: { minimizer: false } }).output("make")).toBe(`${original}Command exited with code 2`);
  expect(await bash.output("sh -c make")).toBe(`${original}Command exited with code 2`);

  // More than the sink keeps: what was cut there is seen here.
  workshop.put("Makefile", "all:\n\t@sh noise.sh 2000\n\t@echo error: in the middle\n\t@sh noise.sh 2000\n");
  expect(await bash.run("make")).toMatchObject({
    output:
      "[… 2000 lines: compiled …]\nerror: in the middle\n[… 2000 lines: compiled …]\n(4000 lines shortened; original: artifact://2)",
    metadata: { truncated: false },
  });
});
