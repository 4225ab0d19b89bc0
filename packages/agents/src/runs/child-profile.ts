/** The profile of an agent: that of its parent, narrowed by its definition. Nothing here can widen it. */
import type { ContextSource, RuleSet, SessionProfile } from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import { createAgentSources } from "./agent-sources.ts";

export type ChildWish = {
  readonly definition: AgentDefinition;
  readonly depth: number;
  /** The name it is addressed by. */
  readonly calledName: string | undefined;
  readonly isBackground: boolean;
  /** False at the depth limit. */
  readonly mayStartAgents: boolean;
  readonly sources: readonly ContextSource[];
  readonly softRequestBudget: number;
};

/** An agent does not plan with the user, and gets a worktree by its order or not at all. */
const neverForAgents: readonly string[] = ["plan_enter", "plan_exit", "worktree_enter", "worktree_exit"];
const startingTools: readonly string[] = ["agent", "task_output", "task_stop"];

export function childProfile(parent: SessionProfile, wish: ChildWish): SessionProfile {
  const { definition, depth, calledName, isBackground, mayStartAgents, sources } = wish;
  const {
    saveRules: _,
    contextSources: __,
    prefix: ___,
    budget: ____,
    workerTools: _____,
    toolNames: ______,
    temperature: _______,
    knownFiles: ________,
    ...kept
  } = parent;
  const own: RuleSet = { source: "agent", rules: definition.permission };
  const above = parent.workerTools ?? parent;
  const toolNames = namesWithin(above.toolNames, definition.tools);
  const excluded = [
    ...(above.excludedTools ?? []),
    ...definition.disallowedTools,
    ...neverForAgents,
    ...(mayStartAgents ? [] : startingTools),
    // Nobody sits in front of an agent in the background.
    ...(isBackground ? ["question"] : []),
  ];
  return {
    ...kept,
    ...(toolNames !== undefined && { toolNames }),
    excludedTools: [...new Set(excluded)],
    rules: definition.permission.length === 0 ? parent.rules : withRules(parent.rules, own),
    prompt: promptOf(parent, definition),
    contextSources: [...sources, ...createAgentSources({ softRequestBudget: wish.softRequestBudget })],
    agent: { name: definition.name, depth, ...(calledName !== undefined && { calledName }) },
    ...(definition.temperature !== undefined && { temperature: definition.temperature }),
    ...((definition.isReadOnly || parent.onlyLooks) && { onlyLooks: true }),
    awaitsAgents: true,
  };
}

/** An agent of an agent keeps the rules of both. The last rule wins, so the inner one may add none that allows. */
function withRules(rules: readonly RuleSet[], own: RuleSet): readonly RuleSet[] {
  const above = rules.filter(({ source }) => source === "agent").flatMap((set) => set.rules);
  if (above.length === 0) return [...rules, own];
  const others = rules.filter(({ source }) => source !== "agent");
  const tightening = own.rules.filter(({ action }) => action !== "allow");
  return [...others, { source: "agent", rules: [...above, ...tightening] }];
}

/** Both lists hold, in any spelling of case. A name with a star at its end stands for all that begin so. */
function namesWithin(
  above: readonly string[] | undefined,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  if (above === undefined || own === undefined) return own ?? above;
  const inner = own.filter((name) => above.some((wider) => covers(wider, name)));
  const outer = above.filter((name) => own.some((wider) => covers(wider, name)));
  return [...new Set([...inner, ...outer].map((name) => name.toLowerCase()))];
}

function covers(wider: string, name: string): boolean {
  const [pattern, given] = [wider.toLowerCase(), name.toLowerCase()];
  return pattern === given || (pattern.length > 1 && pattern.endsWith("*") && given.startsWith(pattern.slice(0, -1)));
}

/** Texts that the user added to the prompt are meant for the session that they talk to. */
function promptOf({ prompt }: SessionProfile, definition: AgentDefinition): SessionProfile["prompt"] {
  const { override: _, append: __, agent: ___, ...place } = prompt;
  const { name, prompt: text } = definition;
  return text === "" ? place : { ...place, agent: { name, text } };
}
