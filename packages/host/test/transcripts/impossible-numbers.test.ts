/** Proves that numbers, dates and depths that cannot be, anywhere in a transcript, neither throw nor reach a fact. */
import { readFileSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { importSession } from "../../src/transcripts/index.ts";
import { smallSession } from "./small-session.ts";
import { exportText, importParts, storeSession } from "./stored-session.ts";

const odd = ["1e400", "-1e400", "1e308", "-1", "-0.5", "1e21", "9007199254740993", "8640000000000001", "1e-400"];
const oddDates = ['"-000001-01-01T00:00:00Z"', '"+275760-09-13T00:00:00.001Z"', '"9999999-01-01"', '"yesterday"'];
const oddValues = [...odd, ...oddDates, "null", '""', "{}", "[]", `${"[".repeat(50_000)}${"]".repeat(50_000)}`];

const fixtures = ["claude-code.jsonl", "codex.jsonl", "opencode.json"];

test.each([...fixtures, "own"])("impossible values in %s", async (name) => {
  const random = createSeededRandom();
  const text = name === "own" ? await ownExport() : readFileSync(new URL(`./foreign/${name}`, import.meta.url), "utf8");
  // Numbers, dates, and numbers in the texts that hold facts.
  const places = [...text.matchAll(/(?<=": ?)(?:-?\d[\d.e+-]*|"\d{4}-\d\d-\d\dT[^"]*")|(?<=\\":)-?\d[\d.e+-]*/g)];
  expect(places.length).toBeGreaterThan(5);
  for (let round = 0; round < 150; round += 1) {
    let damaged = text;
    for (const place of random
      .shuffle(places)
      .slice(0, 1 + random.below(3))
      .sort((a, b) => b.index - a.index)) {
      const isInside = text[place.index - 2] === '"' && text[place.index - 3] === "\\";
      const values = isInside ? odd : oddValues;
      const value = values[random.below(values.length)] ?? "";
      damaged = damaged.slice(0, place.index) + value + damaged.slice(place.index + place[0].length);
    }
    const outcome = await importSession(damaged, importParts());
    if (!outcome.ok) expect(outcome.sentence).toMatch(/^[A-Z].{10,400}\.$/s);
    else {
      expect(outcome.times.every((time) => Number.isInteger(time) && time >= 0 && time <= 8.64e15)).toBe(true);
      expect(oddNumbersIn(outcome.facts)).toEqual([]);
    }
  }
});

async function ownExport(): Promise<string> {
  const { source } = await storeSession("ses_small", smallSession());
  return exportText(source, { format: "json", redact: "none" });
}

function oddNumbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return Math.abs(value) <= 8.64e15 ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(oddNumbersIn) : [];
}
