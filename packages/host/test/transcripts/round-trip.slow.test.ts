import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { importSession } from "../../src/transcripts/index.ts";
import { randomSession } from "./random-session.ts";
import { exportText, importParts, storeSession } from "./stored-session.ts";

const json = { format: "json", redact: "none" } as const;

/** Numbers ids in the order in which they first stand as a whole value. What only names a place of our own keeps its kind. */
function withoutIds(value: unknown): unknown {
  const numbers = new Map<string, number>();
  const text = JSON.stringify(value).replaceAll(
    /(?<=")(ses|prm|run|stp|cmp|msg|prt|req|qst)_([a-z0-9]+)(?=[".])/g,
    (_, kind: string, tail: string) => {
      const known = numbers.get(tail) ?? numbers.size;
      numbers.set(tail, known);
      return `${kind}#${known}`;
    },
  );
  return JSON.parse(text);
}

/** What a summary says of modes belongs to the other machine. */
function readable(exported: { readonly messages: readonly { parts: { boundary?: unknown }[] }[] }): unknown {
  const messages = exported.messages.map((message) => ({
    ...message,
    sessionId: "",
    parts: message.parts.map((part) => (part.boundary === undefined ? part : { ...part, boundary: { todos: [] } })),
  }));
  return withoutIds(messages);
}

test("a session that was exported and imported is exported as the same again, but for its ids", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < 40; round += 1) {
    const at = `seed ${random.seed}, round ${round}`;
    const original = await storeSession("ses_random", randomSession(random, { runs: 6 }));
    const first = await exportText(original.source, json);
    const taken = await importSession(first, importParts());
    if (!taken.ok) throw new Error(`${at}: ${taken.sentence}`);
    expect(taken.report.journal?.valid, at).toBe(true);

    const copy = await storeSession("ses_copy", taken.facts, taken.times);
    const second = await exportText(copy.source, json);
    expect(readable(JSON.parse(second)), at).toEqual(readable(JSON.parse(first)));

    const again = await importSession(second, importParts());
    if (!again.ok) throw new Error(`${at}: ${again.sentence}`);
    expect(again.report.skipped, at).toEqual([]);
    expect(withoutIds(again.facts.slice(1)), at).toEqual(withoutIds(taken.facts.slice(1)));
    expect(again.times, at).toEqual(taken.times);
  }
});
