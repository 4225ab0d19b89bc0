/** The stage of a random session: what was said so far, what it adds up to, and the dice. */

import { applyRecord, type Fact, type SessionState } from "@kedge/protocol";
import type { SeededRandom } from "../seeded-random.ts";

export type Scene = {
  readonly random: SeededRandom;
  readonly facts: Fact[];
  readonly state: SessionState;
  readonly newId: (prefix: string) => string;
  stepsLeft: number;
};

export const sessionId = "ses_random";
export const cost = { usd: 0.25, estimated: false };

export function emit(scene: Scene, fact: Fact): void {
  scene.facts.push(fact);
  const seq = scene.facts.length;
  applyRecord(scene.state, { sessionId, seq, time: seq, fact, prev: "", hash: "" });
}

export function chance({ random }: Scene, share: number): boolean {
  return random.next() < share;
}

export function pick<Item>({ random }: Scene, items: readonly [Item, ...Item[]]): Item {
  return items[random.below(items.length)] ?? items[0];
}
