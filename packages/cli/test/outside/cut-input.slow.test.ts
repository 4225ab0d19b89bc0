/** Cuts the arguments of calls at every byte on every wire while the vendor claims that they are complete, and sends hostile ones. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type MockToolCall, type MockTurn } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const wires = ["openai-chat", "openai-responses", "anthropic", "google"] as const;

async function play(
  wire: string,
  turns: readonly MockTurn[],
  look: (bench: Workbench) => void,
): Promise<{
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: number;
}> {
  const bench = await openWorkbench([...turns, { text: "Done." }], { permission: { edit: "allow", bash: "allow" } });
  try {
    const file = join(bench.home, "config.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    settings.provider.mock.api = wire;
    writeFileSync(file, JSON.stringify(settings));
    writeFileSync(join(bench.project, "old.txt"), "one\ntwo\nthree\n");
    const run = await bench.run(["-p", "go", "--output-format", "stream-json", "--max-turns", "400"]);
    look(bench);
    return { ...run, requests: bench.model.requests.length };
  } finally {
    await bench.close();
  }
}

const stepwise = (text: string) => Array.from({ length: text.length }, (_, at) => text.slice(0, at));

for (const wire of wires) {
  test(`a call that was cut at any byte does not run on ${wire}`, async () => {
    const write = JSON.stringify({ filePath: "out.txt", content: "alpha beta gamma\n" });
    const command = JSON.stringify({ command: "echo ran >> ran.txt; echo more", description: "x" });
    const calls: readonly MockToolCall[] = [
      ...stepwise(write).map((inputText) => ({ name: "write", inputText })),
      ...stepwise(command).map((inputText) => ({ name: "bash", inputText })),
    ];
    // The vendor sometimes claims an ordinary end, sometimes says nothing about it.
    const turns = calls.map(
      (call): MockTurn => ({ toolCalls: [call], ...(random.below(4) === 0 ? { omitFinishReason: true } : {}) }),
    );
    const left: string[] = [];
    const run = await play(
      wire,
      turns.filter(({ omitFinishReason }) => omitFinishReason === undefined),
      ({ project }) => {
        for (const name of readdirSync(project))
          if (!["old.txt", ".git"].includes(name)) left.push(`${name}: ${readFileSync(join(project, name), "utf8")}`);
      },
    );
    if (process.env["OUTSIDE_SHOW"])
      console.log(wire, run.code, run.requests, run.stdout.slice(-300), run.stderr.slice(-200));
    expect(left, `seed ${random.seed}`).toEqual([]);
  });

  test(`hostile arguments fail one call and nothing else on ${wire}`, async () => {
    const deep = (open: string, close: string) =>
      `{"filePath":"deep.txt","content":${open.repeat(50_000)}1${close.repeat(50_000)}}`;
    const hostile: readonly MockToolCall[] = [
      { name: "write", inputText: deep("[", "]") },
      { name: "write", inputText: deep('{"a":', "}") },
      { name: "write", inputText: `{"filePath":"huge.txt","content":"${"x".repeat(6_000_000)}"}` },
      { name: "write", inputText: '{"__proto__":{"filePath":"p.txt","content":"x"}}' },
      {
        name: "write",
        inputText:
          '{"filePath":"q.txt","content":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
      },
      {
        name: "bash",
        inputText: '{"command":"echo first > first.txt","command":"echo second > second.txt","description":"x"}',
      },
      { name: "write", inputText: '{"filePath":"a\\u0000b","content":"x"}' },
      { name: "write", inputText: '{"filePath":"s\\ud800.txt","content":"\\udfff"}' },
      { name: "write", inputText: "null" },
      { name: "write", inputText: "[]" },
      { name: "write", inputText: '"text"' },
      { name: "write", inputText: "1e999" },
      { name: "read", inputText: '{"filePath":"old.txt","offset":1e999,"limit":-5}' },
      { name: "__proto__", inputText: "{}" },
      { name: "constructor", inputText: "{}" },
      { name: "toString", inputText: "{}" },
      { name: "x".repeat(5000), inputText: "{}" },
      { name: "apply_patch", input: { patch: "*** Begin Patch\n*** Add File: patched.txt\n+one\n+two" } },
      { name: "apply_patch", input: { patch: "*** Begin Patch\n*** Delete File: old.txt\n" } },
      { name: "edit_lines", input: { input: "[old.txt#" } },
    ];
    const usable =
      wire === "google" ? hostile.filter(({ inputText }) => inputText === undefined || isObject(inputText)) : hostile;
    let last = false;
    const left: string[] = [];
    const run = await play(
      wire,
      [
        ...usable.map((call) => ({ toolCalls: [call] })),
        { toolCalls: [{ name: "write", input: { filePath: "last.txt", content: "last\n" } }] },
      ],
      ({ project }) => {
        last = existsSync(join(project, "last.txt"));
        left.push(...readdirSync(project));
      },
    );
    if (process.env["OUTSIDE_SHOW"])
      console.log(
        wire,
        "left",
        left.map((name) => name.slice(0, 40)).join(" "),
        "code",
        run.code,
        "requests",
        run.requests,
        run.stdout.slice(-400),
        run.stderr.slice(-300),
      );
    expect({
      last,
      code: run.code,
      patched: left.includes("patched.txt"),
      old: left.includes("old.txt"),
      p: left.includes("p.txt"),
    }).toEqual({ last: true, code: 0, patched: false, old: true, p: false });
  });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
