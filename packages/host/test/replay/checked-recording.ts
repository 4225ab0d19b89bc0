/** Checks a recording as if somebody had sent it in a file, whole or with something changed in it. */
import type { Fact, FactRecord } from "@kedge/protocol";
import { expect } from "vitest";
import {
  type CheckReport,
  checkSession,
  type Divergence,
  type DivergenceKind,
  readRecord,
} from "../../src/replay/index.ts";
import type { Recording } from "./recording.ts";

/** As a file of facts that somebody sent. */
export function throughFile(records: readonly FactRecord[]): readonly FactRecord[] {
  const read = readRecord(records.map((each) => JSON.stringify(each)).join("\n"));
  if (!read.ok) throw new Error(read.sentence);
  expect(read.damage).toBeUndefined();
  const prompts = (all: readonly FactRecord[]) => all.filter(({ fact }) => fact.type === "prompt.admitted");
  expect(prompts(read.records)).toEqual(prompts(records));
  return read.records;
}

export async function checked(made: Recording, change: (fact: Fact) => Fact = (fact) => fact): Promise<CheckReport> {
  const records = throughFile(await made.records());
  return checkSession(
    records.map((each) => ({ ...each, fact: change(each.fact) })),
    made.checkParts,
  );
}

type Counts = readonly [requests: number, again: number, fromRecord: number];

export async function expectAsRecorded(
  made: Recording,
  [requestsCompared, outcomesRunAgain, outcomesFromRecord]: Counts,
) {
  const { length } = await made.records();
  const counts = { requestsCompared, outcomesRunAgain, outcomesFromRecord };
  expect(await checked(made)).toEqual({ sessionId: made.sessionId, records: length, ...counts });
  expect(made.leftovers()).toEqual([]);
}

export async function seqOf(made: Recording, isMeant: (fact: Fact) => boolean): Promise<number | undefined> {
  return (await made.records()).find(({ fact }) => isMeant(fact))?.seq;
}

/** The divergence is of this kind, and told at the first fact that has these members. */
export async function expectFound(
  made: Recording,
  divergence: Divergence | undefined,
  { kind, at }: { readonly kind: DivergenceKind; readonly at: Readonly<Record<string, unknown>> },
): Promise<void> {
  const seq = await seqOf(made, (fact) =>
    Object.entries(at).every(([name, value]) => Reflect.get(fact, name) === value),
  );
  expect(seq).toBeDefined();
  expect([divergence?.kind, divergence?.seq]).toEqual([kind, seq]);
}
