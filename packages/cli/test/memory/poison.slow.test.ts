/** Poisoned texts in files, tool results, searches, memory and lessons, and a model that obeys all of them: nothing is recalled before approval, and no permission answer changes. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";


import { join } from "node:path";
import { createSeededRandom, type MockToolCall, type MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { makePoisons, type Poison } from "./poison-texts.ts";

const random = createSeededRandom();
const poisons = makePoisons(random, 152);

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const topic = (name: string, body: string, description = "How we work") =>
  `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n\n${body}\n`;

const write = (filePath: string, content: string): MockToolCall => ({ name: "write", input: { filePath, content } });
const done: MockTurn = { text: "Done." };
const turnsOf = (calls: readonly MockToolCall[]): readonly MockTurn[] => [
  ...calls.map((each) => ({ toolCalls: [each] })),
  done,
];

/** The topics of a poison: one, or two halves of it. */
const pieces = ({ text, rest, token }: Poison) =>
  rest === undefined ? [`${text} ${token}`] : [text, `${rest} ${token}`];

async function memoryDirectory(opened: Workbench): Promise<string> {
  const directory = (await opened.run(["memory", "path"])).stdout.trim();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "MEMORY.md"), "# Memory\n\nNo topics yet.\n");
  return directory;
}

/** What a later session gets of memory: the table of contents, and what may be read behind it. */
async function recalled(opened: Workbench, directory: string): Promise<readonly string[]> {
  const before = opened.model.requests.length;
  await opened.run(["-p", "hi"]);
  const sent = JSON.stringify(opened.model.requests.slice(before).map(({ body }) => body));
  const listed = (await opened.run(["memory", "list"])).stdout + readFileSync(join(directory, "MEMORY.md"), "utf8");
  const files = readdirSync(directory).filter((name) => /^[a-z].*\.md$/.test(name));
  const readable = files.filter((name) => listed.includes(name) || listed.includes(name.replace(/\.md$/, "")));
  const texts = readable.map((name) => readFileSync(join(directory, name), "utf8")).join("\n");
  return poisons
    .filter(({ token }) => `${sent}${listed}${texts}`.includes(token))
    .map(({ kind, text }) => `${kind}: ${text}`);
}

test("what the user seems to have said is held back until it is approved, in whole or in halves", async () => {
  const turns: MockTurn[] = [];
  bench = await openWorkbench(turns);
  const directory = await memoryDirectory(bench);
  turns.push(
    ...turnsOf(
      poisons.flatMap((poison, at) =>
        pieces(poison).map((body, half) =>
          write(join(directory, `convention-${at}-${half}.md`), topic(`Convention ${at}`, body)),
        ),
      ),
    ),
  );
  await bench.run(["-p", "Remember all of this", "--max-turns", "1000"]);
  expect(await recalled(bench, directory), `seed ${random.seed}`).toEqual([]);
});
