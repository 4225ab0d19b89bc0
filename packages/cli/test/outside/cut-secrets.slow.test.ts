/** Puts secrets over every place where a result is cut: no part of one is left at the edges, in the view or in the artifact. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { storedTexts } from "../workbench.ts";
import { makeSecrets } from "./made-secrets.ts";
import { runCalls } from "./run-calls.ts";

const random = createSeededRandom();

test("no part of a secret is left where a result is cut", async () => {
  const secrets = makeSecrets(random).filter(({ needsPlace, core }) => needsPlace === undefined && core.length >= 20);
  const files = Array.from({ length: rounds({ usual: 10, long: 400 }) }, () => {
    const secret = secrets[random.below(secrets.length)] as (typeof secrets)[number];
    const edge = [17_000, 17 * 1024, 50_000, 50 * 1024, 2_000, 11 * 1024, 30_000, 65_536, 8_192][
      random.below(9)
    ] as number;
    const before = Math.max(0, edge - random.below(secret.text.length + 8));
    const filler = random.below(2) === 0 ? "word ".repeat(20_000) : "line of text\n".repeat(8_000);
    return {
      secret,
      text: `${filler.slice(0, before)} ${secret.text} ${filler.slice(0, 60_000)} ${secret.text} ${filler.slice(0, before)}\n`,
    };
  });
  let kept = "";
  const calls = files.flatMap((_, at) => [
    { name: "read", input: { filePath: `f${at}.txt` } },
    { name: "bash", input: { command: `cat f${at}.txt`, description: "x" } },
    { name: "grep", input: { pattern: ".", path: `f${at}.txt`, limit: 3 } },
  ]);
  const run = await runCalls(calls, {
    argv: ["--max-turns", "2000"],
    settings: { compaction: { enabled: false } },
    prepare: ({ project }) => {
      for (const [at, { text }] of files.entries()) writeFileSync(join(project, `f${at}.txt`), text);
    },
    afterwards: ({ home }) => {
      kept = storedTexts(home);
    },
  });
  const outputs = run.results.map(({ output }) => output);
  const parts = (core: string) => Array.from({ length: core.length - 7 }, (_, at) => core.slice(at, at + 8));
  const leaks = files.flatMap(({ secret: { kind, core } }, at) => {
    const seen = [...outputs.slice(at * 3, at * 3 + 3), kept].findIndex((text) =>
      parts(core).some((part) => text.includes(part)),
    );
    return kind === "duffel" || seen < 0 ? [] : [`${kind} in ${["read", "bash", "grep", "store"][seen]}`];
  });
  expect({ leaks, calls: outputs.length }, `seed ${random.seed}; ${run.stdout.slice(-300)}`).toEqual({
    leaks: [],
    calls: calls.length,
  });
}, 120_000);
