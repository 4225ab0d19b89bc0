/** What tests of instruction files share: files are put, kedge runs, and it is told what the model was sent and what the list says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockModel, MockTurn } from "@kedge/testing";
import type { RunOptions, Workbench } from "../workbench.ts";

export const done: MockTurn = { text: "Done." };

export const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
export const read = (filePath: string): MockTurn => call("read", { filePath });

export function put(at: string, path: string, text: string): void {
  mkdirSync(dirname(join(at, path)), { recursive: true });
  writeFileSync(join(at, path), text);
}

/** The texts of a request by message, the system prompt first. */
export function textsOf({ requests }: MockModel, index: number): readonly string[] {
  const { messages = [] } = requests.at(index)?.body ?? {};
  return messages.map(({ content }) => content ?? "");
}

export const wholeOf = (model: MockModel, index: number): string => textsOf(model, index).join("\n");

/** The odd words of a request, in the order in which the model reads them. */
export const oddWordsOf = (model: MockModel, index: number): readonly string[] =>
  [...wholeOf(model, index).matchAll(/\bodd-[a-z0-9-]+/g)].map(([word]) => word);

export type Row = {
  readonly path: string;
  readonly tier: string;
  readonly source: string;
  readonly status: string;
  readonly why: string;
  readonly tokens: number;
  readonly notes: readonly string[];
};

export async function listed(bench: Workbench, options: RunOptions = {}, ...words: readonly string[]) {
  const { stdout } = await bench.run(["instructions", "--json", ...words], options);
  return JSON.parse(stdout) as readonly Row[];
}

/** Several prompts in one process. */
export function converse(bench: Workbench, prompts: readonly string[], options: RunOptions = {}) {
  const input = prompts.map((content) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  const flags = ["--input-format", "stream-json", "--output-format", "stream-json"];
  return bench.run(["-p", ...flags, "--trust"], { ...options, input: input.join("") });
}
