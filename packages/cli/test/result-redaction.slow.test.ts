/** Proves with the real program that a secret which a tool reads reaches neither the model nor the output nor any file of kedge. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, storedTexts, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const draw = (length: number) => `A1b${Array.from({ length: length - 3 }, () => letters[random.below(62)]).join("")}`;

/** Joined at run time, so that no scanner takes this file for a leak. */
const secrets = [
  `gh${"p_"}${draw(36)}`,
  `gl${"pat-"}${draw(20)}`,
  `sk_${"live_"}${draw(24)}`,
  `np${"m_"}${draw(36)}`,
  `hv${"s."}${draw(40)}`,
  `AccountKey=${draw(86)}==`,
  `https://app:${draw(14)}@host.example/`,
  `DB_PASSWORD=${draw(16)}`,
];
const hidden = secrets.map((secret) => /A1b\w+/.exec(secret)?.[0] ?? secret);
const key = "key-of-the-test";

/** A long output of which the middle is left out, with secrets at both ends of what is shown, and all of it as an artifact. */
const command = "cat notes.txt; seq 1 9000; cat notes.txt";
const turns = [
  { toolCalls: [{ name: "read", input: { filePath: "notes.txt" } }] },
  { toolCalls: [{ name: "bash", input: { command, description: "for the test" } }] },
  { text: "Done." },
];

async function open(settings: object = {}): Promise<Workbench> {
  const permission = { bash: { "*": "allow" } };
  bench = await openWorkbench(turns, { permission, ...settings });
  writeFileSync(join(bench.project, "notes.txt"), `${secrets.join("\n")}\nthe key is ${key}\n`);
  return bench;
}

function leaks(text: string): readonly string[] {
  return [...hidden, key].filter((secret) => text.includes(secret));
}

const argv = ["-p", "Read it", "--output-format", "stream-json", "--dangerously-skip-permissions"];

test("results, live output, the store, artifacts and exports are without secrets", async () => {
  const { run, model, home } = await open();
  const ended = await run(argv);
  expect(ended.code, ended.stderr).toBe(0);
  const sent = JSON.stringify(model.requests.map(({ body }) => body));
  expect({ seed: random.seed, leaks: leaks(sent) }).toEqual({ seed: random.seed, leaks: [] });
  expect(sent).toContain("[REDACTED:github-token]");
  expect(leaks(ended.stdout)).toEqual([]);
  expect(leaks(storedTexts(home))).toEqual([]);
  const exported = await run(["session", "export", "last", "--format", "md"]);
  expect([exported.code, leaks(exported.stdout)]).toEqual([0, []]);
});

test("with formats switched off the model sees them, but never kedge's own key, and an export has neither", async () => {
  const { run, model } = await open({ redaction: { formats: false } });
  await run(argv);
  const sent = JSON.stringify(model.requests.map(({ body }) => body));
  expect(leaks(sent)).toEqual(hidden);
  const exported = await run(["session", "export", "last", "--format", "md"]);
  expect([exported.code, leaks(exported.stdout)]).toEqual([0, []]);
});
