/** Proves that every program in docs/sdk.md compiles against the published SDK and prints what is shown beneath it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installSdk, type PublishedPackage } from "./published-package.ts";
import { openSdkBench, openServer, type SdkBench } from "./sdk-bench.ts";

const text = readFileSync(join(import.meta.dirname, "../../../../docs/sdk.md"), "utf8");

function blocks(kind: string): ReadonlyMap<string, string> {
  const found = text.matchAll(new RegExp(`^\`\`\`${kind} (\\S+)\\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return new Map([...found].map(([, name = "", code = ""]) => [name, code]));
}

const programs = blocks("ts sdk");
const outputs = blocks("text");

/** What the model of the document says. */
function answer({ body }: MockRequest): MockTurn {
  const last = body.messages?.at(-1);
  const content = String(last?.content ?? "");
  if (last?.role === "tool") return answerResult(content);
  switch (content) {
    case "Write a note and list the files":
      return { toolCalls: [{ name: "write", input: { filePath: "note.txt", content: "a note\n" } }] };
    case "How many lamps are left?":
      return { toolCalls: [{ name: "stock", input: { article: "lamp" } }] };
    case "Which number was it?":
      return { text: "It was 7." };
    case "Which file is the longest?":
      return { toolCalls: [{ name: "structured_output", input: { name: "index.ts", lines: 120 } }] };
    default:
      return { text: "It greets whoever calls it." };
  }
}

function answerResult(content: string): MockTurn {
  if (content === "12") return { text: "12 lamps are left." };
  if (!content.includes("note.txt")) return { text: "Good." };
  return { toolCalls: [{ name: "bash", input: { command: "rm -rf build", description: "Removes build" } }] };
}

let bench: SdkBench;
let sdk: PublishedPackage;

beforeAll(async () => {
  bench = await openSdkBench(answer);
  sdk = await installSdk(bench, Object.fromEntries([...programs].map(([name, code]) => [`${name}.ts`, code])));
});
afterAll(() => bench?.close());

test("every program has an output, and the compiler accepts them all", async () => {
  expect([...programs.keys()]).toEqual([...outputs.keys()]);
  expect(programs.size).toBe(7);
  await sdk.check([...programs.keys()].map((name) => `${name}.ts`));
});

test.each([...programs.keys()])("the program %s prints what is shown", async (name) => {
  const server = name === "http" ? await openServer(bench) : undefined;
  try {
    const environment = server === undefined ? {} : { KEDGE_URL: server.url, KEDGE_TOKEN: server.token };
    expect(await sdk.run(`${name}.ts`, { environment })).toBe(outputs.get(name));
  } finally {
    await server?.close();
  }
});
