/** Measures whether a turn gets slower as a session grows: turn 1,000 against turn 10, in one run of the built kedge. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const turnsMax = 1_000;
const ratioMax = 1.2;
const early = { from: 6, to: 15 };
const late = { from: 990, to: 1_000 };

type Model = { readonly baseUrl: string; readonly gapsMs: readonly number[]; readonly close: () => void };

/** Answers every request with one more `read`, until the last turn. The gap is what kedge needs between two answers. */
async function startModel(files: readonly string[]): Promise<Model> {
  const gapsMs: number[] = [];
  let answered = 0;
  let endedAtMs: number | undefined;
  const server = createServer((request, response) => {
    const arrivedMs = performance.now();
    request.resume().once("end", () => {
      if (endedAtMs !== undefined) gapsMs.push(arrivedMs - endedAtMs);
      response.once("finish", () => {
        endedAtMs = performance.now();
      });
      answer(response, answered, files[answered]);
      answered++;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, gapsMs, close: () => server.close() };
}

function answer(response: ServerResponse, turn: number, filePath: string | undefined): void {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: `answer-${turn}`, object: "chat.completion.chunk", created: 1, model: "mock-model", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (filePath === undefined) {
    response.end(`${chunk({ role: "assistant", content: "Done." }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
    return;
  }
  const call = {
    index: 0,
    id: `call_${turn}`,
    type: "function",
    function: { name: "read", arguments: JSON.stringify({ filePath }) },
  };
  const delta = { role: "assistant", tool_calls: [call] };
  response.end(`${chunk(delta, null)}${chunk({}, "tool_calls")}data: [DONE]\n\n`);
}

function writeFiles(project: string): readonly string[] {
  mkdirSync(project);
  return Array.from({ length: turnsMax }, (_, index) => {
    const path = join(project, `file-${index}.ts`);
    writeFileSync(path, `export const value${index} = ${index};\n`.repeat(30));
    return path;
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function main(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "kedge-growth-"));
  const project = join(directory, "project");
  const files = writeFiles(project);
  const model = await startModel(files);
  try {
    const home = join(directory, "home");
    mkdirSync(home, { mode: 0o700 });
    const models = { "mock-model": { context: 10_000_000, output: 64_000 } };
    const mock = { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x", models };
    writeFileSync(join(home, "config.json"), JSON.stringify({ model: "mock/mock-model", provider: { mock } }));
    const entry = resolve(import.meta.dirname, "../dist/kedge.js");
    const child = spawn(process.execPath, [entry, "-p", "Read the files."], {
      cwd: project,
      stdio: ["ignore", "ignore", "inherit"],
      env: { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home },
    });
    const [exitCode] = await once(child, "exit");
    const gapsOf = ({ from, to }: { from: number; to: number }) => model.gapsMs.slice(from - 1, to);
    const [earlyMs, lateMs] = [median(gapsOf(early)), median(gapsOf(late))];
    const ratio = lateMs / earlyMs;
    process.stdout.write(
      [
        `turns ${model.gapsMs.length} of ${turnsMax}, kedge ended with ${exitCode}`,
        `turns ${early.from}-${early.to}: ${earlyMs.toFixed(2)} ms, turns ${late.from}-${late.to}: ${lateMs.toFixed(2)} ms`,
        `growth ${ratio.toFixed(2)} x, budget ${ratioMax} x: ${ratio <= ratioMax ? "ok" : "OVER"}\n`,
      ].join("\n"),
    );
    return exitCode === 0 && model.gapsMs.length === turnsMax && ratio <= ratioMax ? 0 : 1;
  } finally {
    model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

process.exitCode = await main();
