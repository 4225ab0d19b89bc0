/** What a session came to, in a few numbers, so that two of them can be held side by side. */
import type { Fact, RunReason } from "@kedge/protocol";

export type SessionResult = {
  readonly model: string;
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  readonly isEstimated: boolean;
  readonly filesChanged: number;
  /** How each run ended. */
  readonly ends: readonly RunReason[];
};

export function resultOfSession(facts: Iterable<Fact>): SessionResult {
  const files = new Set<string>();
  const ends: RunReason[] = [];
  let model = "";
  let turns = 0;
  let tokens = 0;
  let usd = 0;
  let isEstimated = false;
  for (const fact of facts) {
    if (fact.type === "files.changed") for (const { path } of fact.files) files.add(path);
    else if (fact.type === "step.started") model = fact.model;
    else if (fact.type === "step.ended") {
      const { usage, cost } = fact;
      turns += 1;
      tokens += usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
      usd += cost.usd;
      isEstimated ||= cost.estimated;
    } else if (fact.type === "run.ended") ends.push(fact.reason);
  }
  return { model, turns, tokens, usd, isEstimated, filesChanged: files.size, ends };
}
