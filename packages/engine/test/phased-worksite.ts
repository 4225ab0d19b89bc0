/** A worksite whose calls pass phases from outside, and a short way to write such phases. */
import type {
  AfterCall,
  BeforeCall,
  CallPhase,
  EndedCall,
  FactOf,
  PermissionMode,
  PermissionRule,
  PhasedCall,
  RuleSet,
} from "@kedge/protocol";
import type { Harness } from "./harness.ts";
import { bash, openWorksite, working } from "./worksite.ts";

export const before = (name: string, answer: (call: PhasedCall) => BeforeCall | undefined): CallPhase => ({
  name,
  onError: "refuse",
  before: async (seen) => answer(seen),
});

export const after = (name: string, answer: (call: EndedCall) => AfterCall | undefined): CallPhase => ({
  name,
  onError: "refuse",
  after: async (seen) => answer(seen),
});

export const rule = (
  pattern: string,
  action: PermissionRule["action"],
  source: RuleSet["source"] = "user",
): RuleSet => ({
  source,
  rules: [{ permission: "bash", pattern, action }],
});

export type PhasedSite = {
  readonly phases: readonly CallPhase[];
  readonly rules?: readonly RuleSet[];
  readonly commands?: readonly string[];
  readonly mode?: PermissionMode;
  readonly output?: string;
};

export async function work({
  phases,
  rules = [],
  commands = ["make a"],
  mode = "default",
  output = "done",
}: PhasedSite) {
  const { harness, ran } = openWorksite({
    turns: working(...commands.map(bash)),
    rules,
    shell: () => ({ output, exitCode: 0 }),
    parts: { callPhases: phases },
  });
  const run = await harness.prompt(await harness.open(mode), "go");
  return { harness, ran, run: run.fact, ends: endsOf(harness) };
}

export function endsOf(harness: Harness): readonly FactOf<"tool.ended">[] {
  return harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact] : []));
}

export const notices = (harness: Harness) =>
  harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []));
