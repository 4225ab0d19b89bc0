/** Lets tools read invented secrets of 140 formats in many surroundings, and looks for them in all that kedge sends, prints and keeps. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type MockToolCall } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import { storedTexts, type Workbench } from "../workbench.ts";
import { type MadeSecret, makeSecrets, surroundings } from "./made-secrets.ts";
import { runCalls } from "./run-calls.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const read = (filePath: string): MockToolCall => ({ name: "read", input: { filePath } });
const bash = (command: string): MockToolCall => ({ name: "bash", input: { command, description: "x" } });

/** A part long enough to be no chance, from both ends and the middle. */
const seen = (text: string, { core }: MadeSecret) => {
  const middle = Math.floor(core.length / 2);
  return [core.slice(0, 10), core.slice(-10), core.slice(middle - 5, middle + 5)].some((part) => text.includes(part));
};
const leaked = (text: string, secrets: readonly MadeSecret[]) =>
  secrets.filter((secret) => seen(text, secret)).map(({ kind }) => kind);

for (const [place, surround] of Object.entries(surroundings))
  test(`nothing of a secret in the surroundings "${place}" is sent, printed or kept`, async () => {
    const secrets = makeSecrets(random).filter(({ needsPlace }) => place === "bare" || needsPlace === undefined);
    // What a parser of the surroundings would have to undo is no part of this test.
    const usable = secrets.filter(({ text }) => place === "bare" || !/[\n"]/.test(text));
    const lines = usable.map(({ text }) => surround(text));
    let kept = "";
    let exported = "";
    const calls = [
      read("notes.txt"),
      bash("cat notes.txt"),
      { name: "grep", input: { pattern: ".", path: "notes.txt" } },
      bash("sed -n 1,400p notes.txt"),
    ];
    const run = await runCalls(calls, {
      prepare: ({ project }: Workbench) => writeFileSync(join(project, "notes.txt"), `${lines.join("\n\n")}\n`),
      afterwards: async (bench) => {
        exported = (await bench.run(["session", "export", "last", "--format", "md"])).stdout;
        kept = storedTexts(bench.home);
      },
    });
    const found = {
      sent: leaked(run.sent, usable),
      printed: leaked(run.stdout, usable),
      kept: leaked(kept, usable),
      exported: leaked(exported, usable),
    };
    if (process.env["OUTSIDE_SHOW"])
      console.log(
        `${place}: ${found.sent.length} of ${usable.length} seen: ${found.sent.join(", ")}; only elsewhere: ${[...found.printed, ...found.kept, ...found.exported].filter((kind) => !found.sent.includes(kind)).join(", ")}`,
      );
    expect(found, `seed ${random.seed}`).toEqual({ sent: [], printed: [], kept: [], exported: [] });
  });

test("a secret that a command prints in two pieces is removed", async () => {
  const secrets = makeSecrets(random).filter(({ needsPlace, text }) => needsPlace === undefined && !text.includes("'"));
  const script = secrets.map(({ text }) => {
    const cut = 1 + random.below(text.length - 1);
    return `printf %s '${text.slice(0, cut)}'; sleep 0.01; printf '%s\\n' '${text.slice(cut)}'`;
  });
  const run = await runCalls([bash("bash pieces.sh")], {
    settings: { permission: { bash: "allow" } },
    prepare: ({ project }) => writeFileSync(join(project, "pieces.sh"), script.join("\n")),
  });
  const found = leaked(run.sent + run.stdout, secrets);
  if (process.env["OUTSIDE_SHOW"]) console.log(`pieces: ${found.length} of ${secrets.length}: ${found.join(", ")}`);
  expect(found, `seed ${random.seed}`).toEqual([]);
});
