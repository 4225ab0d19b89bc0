/** Proves where a conversation is cut: at turns where they fit, inside one where not, and never before a result. */
import type { ConversationItem } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { type CutLimits, findCut } from "./cut.ts";

/** One letter each: p prompt, s steer, n reminder, c answer with a call, r its results, a answer, b branch, C summary. */
function itemsOf(letters: string): readonly ConversationItem[] {
  return Array.from(letters).map((letter, index): ConversationItem => {
    const id = `${letter}${index}`;
    switch (letter) {
      case "p":
        return { type: "prompt", id, text: "", form: "prompt" };
      case "s":
        return { type: "prompt", id, text: "", form: "steer" };
      case "n":
        return { type: "reminder", id, text: "" };
      case "c": {
        const call = { type: "tool-call", callId: id, tool: "look", inputText: "{}" } as const;
        return { type: "answer", id, stepId: id, model: "m", content: [call] };
      }
      case "r":
        return { type: "results", id, stepId: id, results: [] };
      case "b":
        return { type: "record", id, kind: "branch-summary", text: "" };
      case "C":
        return { type: "compaction", id, summary: "", restored: [] };
      default:
        return { type: "answer", id, stepId: id, model: "m", content: [{ type: "text", text: "x" }] };
    }
  });
}

const lettersOf = (items: readonly ConversationItem[]) => items.map(({ id }) => id[0]).join("");

/** Every item has one token. */
const limits: CutLimits = { tokensOf: () => 1, recentTokens: 0, taskTokens: 0, keptTokensMax: 100, firstNewIndex: 0 };

function cut(letters: string, change: Partial<CutLimits> = {}): readonly string[] | undefined {
  const found = findCut(itemsOf(letters), { ...limits, ...change });
  return found && [found.history, found.turnBeginning, found.kept].map(lettersOf);
}

test.each<[string, Partial<CutLimits>, readonly string[] | undefined]>([
  // The last turn stays.
  ["papapcra", {}, ["papa", "", "pcra"]],
  ["pa", {}, undefined],
  ["", {}, undefined],
  // Turns before it, as far as they fit.
  ["papapapa", { recentTokens: 4 }, ["papa", "", "papa"]],
  ["papapapa", { recentTokens: 5 }, ["papa", "", "papa"]],
  ["papapapa", { recentTokens: 8 }, undefined],
  // An unfinished task stays together, and no further than its limit.
  ["papcrpcrpcr", { taskTokens: 9 }, ["pa", "", "pcrpcrpcr"]],
  ["papcrpcrpcr", { taskTokens: 8 }, ["papcr", "", "pcrpcr"]],
  // A word in the middle of a run begins no turn; what came of another branch does.
  ["papcrscra", {}, ["pa", "", "pcrscra"]],
  ["pabcra", {}, ["pa", "", "bcra"]],
  // A turn that is too large is cut inside, before an answer.
  ["papcrcrcr", { keptTokensMax: 4, recentTokens: 3 }, ["pa", "pcrcr", "cr"]],
  ["papcrcrcr", { keptTokensMax: 4, recentTokens: 4 }, ["pa", "pcr", "crcr"]],
  ["pcrcrcr", { keptTokensMax: 4, recentTokens: 4 }, ["", "pcr", "crcr"]],
  ["pcrcr", { keptTokensMax: 1, recentTokens: 1 }, ["", "pcrcr", ""]],
  ["pcrcr", { keptTokensMax: 3, recentTokens: 1 }, ["", "pcr", "cr"]],
  // What kedge said before an answer goes with it.
  ["pcrncrncr", { keptTokensMax: 5, recentTokens: 5 }, ["", "pcr", "ncrncr"]],
  // Nothing that an earlier summary kept is kept again.
  ["Cpapcra", { firstNewIndex: 3 }, ["Cpa", "", "pcra"]],
  ["Cpcrcrcr", { firstNewIndex: 4, keptTokensMax: 100, recentTokens: 100 }, ["C", "pcr", "crcr"]],
  ["Cpa", { firstNewIndex: 3 }, ["C", "pa", ""]],
  ["C", { firstNewIndex: 1 }, undefined],
])("%s with %j becomes %j", (letters, change, expected) => {
  expect(cut(letters, change)).toEqual(expected);
});

test("whatever is cut, nothing is lost, no result comes first, and what is kept is new", () => {
  const { seed, below: pick } = createSeededRandom();
  for (let round = 0; round < 2_000; round += 1) {
    const turns = Array.from(
      { length: 1 + pick(5) },
      () => `p${["", "cr", "crncr", "crscr"][pick(4)]}${pick(2) ? "a" : ""}`,
    );
    const hasSummary = pick(3) === 0;
    const items = itemsOf((hasSummary ? "C" : "") + turns.join(""));
    const firstNewIndex = hasSummary ? 1 + pick(items.length) : 0;
    const found = findCut(items, {
      tokensOf: ({ type }) => type.length,
      recentTokens: pick(60),
      taskTokens: pick(60),
      keptTokensMax: 1 + pick(120),
      firstNewIndex,
    });
    if (found === undefined) continue;
    const where = `seed ${seed}, ${lettersOf(items)}`;
    expect([...found.history, ...found.turnBeginning, ...found.kept], where).toEqual(items);
    expect(found.kept[0]?.type, where).not.toBe("results");
    expect(items.length - found.kept.length, where).toBeGreaterThanOrEqual(firstNewIndex);
  }
});
