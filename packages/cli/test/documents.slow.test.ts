/** The examples of the documents are true: configurations load, commands run as shown against a mock model. */
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadConfiguration } from "@kedge/host";
import { commandRows, queryRows, readRows } from "@kedge/protocol/rows";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

const root = join(import.meta.dirname, "../../..");
const documents = ["README.md", ...globSync("docs/*.md", { cwd: root }).sort()];

type Example = { readonly file: string; readonly line: number; readonly code: string };

function examples(kind: string): readonly Example[] {
  return documents.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)]
      .filter((match) => match[1] === kind)
      .map((match) => ({ file, line: text.slice(0, match.index).split("\n").length, code: match[2] ?? "" }));
  });
}

test("there are examples of both kinds", () => {
  expect(examples("json config").length).toBeGreaterThan(3);
  expect(examples("sh test").length).toBeGreaterThan(4);
});

/** Every variable that an example names is set, as it is for a reader who follows it. */
function keysOf(code: string): { readonly [name: string]: string } {
  return Object.fromEntries([...code.matchAll(/\{env:(\w+)\}/g)].map((match) => [match[1] ?? "", "a-key"]));
}

test.each(examples("json config"))("the configuration at $file:$line loads without a warning", async ({ code }) => {
  const home = mkdtempSync(join(tmpdir(), "kedge-documents-"));
  try {
    writeFileSync(join(home, "config.json"), code);
    const loaded = await loadConfiguration({
      home,
      userDirectory: home,
      cwd: home,
      projectRoot: home,
      environment: { HOME: home, ...keysOf(code) },
      files: [],
      isTrusted: true,
    });
    expect(loaded).toMatchObject({ ok: true, warnings: [] });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

/** Calls the tool that a document speaks of, otherwise just answers. */
function answer({ body }: MockRequest): MockTurn {
  const last = body.messages?.at(-1);
  if (last?.role === "user" && last.content === "Write a note") {
    return { toolCalls: [{ name: "write", input: { filePath: "note.txt", content: "a note\n" } }] };
  }
  if (last?.role === "user" && last.content === "Count the words of README.md") {
    return { toolCalls: [{ name: "count_words", input: { path: "README.md" } }] };
  }
  return { text: "Answered." };
}

const run = promisify(execFile);

/** Runs an example in a project of its own, as a reader would who has kedge in the path. */
async function runExample(code: string): Promise<void> {
  const bench = await openWorkbench(answer);
  try {
    const bin = join(bench.directory, "bin");
    mkdirSync(bin);
    writeFileSync(join(bench.project, "README.md"), "# A project\n");
    const start = `exec '${process.execPath}' '${join(root, "dist/kedge.js")}' "$@"`;
    writeFileSync(join(bin, "kedge"), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
    const environment = { PATH: `${bin}:${process.env["PATH"]}`, HOME: bench.directory, KEDGE_HOME: bench.home };
    // Without input of its own a command would wait for the pipe of the test.
    await run("bash", ["-euo", "pipefail", "-c", `exec </dev/null\n${code}`], { cwd: bench.project, env: environment });
  } finally {
    await bench.close();
  }
}

test.each(examples("sh test"))("the commands at $file:$line do what they show", ({ code }) => runExample(code));

/** Has a server in the background, and its address and token in the variables that the document speaks of. */
function besideServer(code: string): string {
  return `exec 3< <(exec kedge serve --port 0 --json)
server=$!
trap 'kill $server; wait $server || true' EXIT
read -r line <&3
KEDGE_URL=$(printf %s "$line" | sed 's/.*"url":"\\([^"]*\\)".*/\\1/')
KEDGE_TOKEN=$(printf %s "$line" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
${code}`;
}

test.each(examples("sh api"))("the requests at $file:$line are answered", ({ code }) => runExample(besideServer(code)));

test("the manual names every route with its command or query; vitest -u rewrites the table", async () => {
  const path = join(root, "docs/api.md");
  const manual = readFileSync(path, "utf8");
  const [table = ""] = /(?<=\|---\|---\|---\|\n)(?:\| `[A-Z]+ .*\n)+/.exec(manual) ?? [];
  const made = [
    ...Object.entries(commandRows).map(
      ([name, { route, scope }]) => `| \`${route}\` | command \`${name}\` | ${scope} |`,
    ),
    ...Object.entries(queryRows).map(([name, { route, scope }]) => `| \`${route}\` | query \`${name}\` | ${scope} |`),
  ];
  const others = table.split("\n").filter((line) => line !== "" && !/\| (?:command|query) `[\w.]+` \|/.test(line));
  // Paths first, as people look for them.
  const lines = [...made, ...others].toSorted((left, right) => (pathOf(left) < pathOf(right) ? -1 : 1));
  await expect(manual.replace(table, `${lines.join("\n")}\n`)).toMatchFileSnapshot(path);
  const reads = Object.entries(readRows).map(([what, { route }]) => `| \`${route}\` | ${what} |`);
  expect(reads.filter((start) => !others.some((line) => line.startsWith(start)))).toEqual([]);
});

/** The path, and then the method. */
function pathOf(line: string): string {
  const [, method, path] = /^\| `([A-Z]+) ([^`]+)`/.exec(line) ?? [];
  return `${path} ${method}`;
}
