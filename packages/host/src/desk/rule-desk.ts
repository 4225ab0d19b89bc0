/** Permission rules for clients: all that hold, in the order of their sources, and those that can be removed. */
import { createHash } from "node:crypto";
import {
  type CommandAnswer,
  type CommandOf,
  type ListedRule,
  notFound,
  type PermissionRule,
  type QueryAnswer,
  type RuleSet,
  refused,
  type SessionState,
} from "@kedge/protocol";
import type { HostDeskParts } from "./host-desk.ts";

type RuleParts = Pick<HostDeskParts, "engine" | "rules" | "saveRules" | "removeSavedRule">;

export function listRules({ engine, rules }: RuleParts): QueryAnswer<"rule.list"> {
  const ofFiles = rules.list().flatMap(({ source, rules: own }) => own.map((rule) => listed(rule, source)));
  const granted = engine
    .openSessions()
    .flatMap(({ state }) =>
      state.grants.map((rule, index): ListedRule => ({ ...rule, source: "session", ruleId: idOf(state, index) })),
    );
  return { ok: true, value: { rules: [...ofFiles, ...granted] } };
}

/** A saved rule that allows can be removed as it was added; one that forbids stands until its file is edited. */
function listed(rule: PermissionRule, source: RuleSet["source"]): ListedRule {
  const isRemovable = source === "local" && rule.action === "allow";
  return { ...rule, source, ...(isRemovable && { ruleId: savedId(rule) }) };
}

/** By what it says, so that a list of earlier never leads to another rule. */
function savedId({ permission, pattern }: PermissionRule): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([permission, pattern]))
    .digest("hex");
  return `local.${digest.slice(0, 24)}`;
}

const idOf = ({ sessionId }: Readonly<SessionState>, index: number) => `${sessionId}.${index}`;

export async function addRule(parts: RuleParts, command: CommandOf<"rule.add">): Promise<CommandAnswer<"rule.add">> {
  const { rule, sessionId } = command;
  if (sessionId !== undefined) return grant(parts, sessionId, rule);
  if (rule.action !== "allow") {
    return refused("Only allow rules can be saved from here.", "Add the rule to your config.json.");
  }
  const saved = await parts.saveRules([rule]);
  if (!saved.ok) return saved;
  parts.rules.replace(withLocalRule(parts.rules.list(), rule));
  return { ok: true, value: { ruleId: savedId(rule) } };
}

/** What is saved for later starts counts here at once, because the user has just asked for it. */
function withLocalRule(sets: readonly RuleSet[], rule: PermissionRule): readonly RuleSet[] {
  const local = sets.find(({ source }) => source === "local");
  if (local === undefined) return [...sets, { source: "local", rules: [rule] }];
  return sets.map((set) => (set === local ? { ...set, rules: [...set.rules, rule] } : set));
}

function withoutLocalRule(sets: readonly RuleSet[], ruleId: string): readonly RuleSet[] {
  return sets.map((set) => ({
    ...set,
    rules: set.rules.filter((rule) => listed(rule, set.source).ruleId !== ruleId),
  }));
}

async function grant(
  { engine }: RuleParts,
  sessionId: string,
  rule: PermissionRule,
): Promise<CommandAnswer<"rule.add">> {
  const open = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
  if (open === undefined) return notFound("open session", sessionId);
  const ruleId = idOf(open.state, open.state.grants.length);
  const grants = [...open.state.grants, rule];
  const sent = await engine.send<"grants.replace">({ type: "grants.replace", sessionId, grants });
  return sent.ok ? { ok: true, value: { ruleId } } : sent;
}

export async function removeRule(
  { engine, rules, removeSavedRule }: RuleParts,
  { ruleId }: CommandOf<"rule.remove">,
): Promise<CommandAnswer<"rule.remove">> {
  const saved = rules
    .list()
    .flatMap(({ source, rules: own }) => own.map((rule) => ({ rule, ...listed(rule, source) })))
    .find((each) => each.ruleId === ruleId);
  if (saved !== undefined) {
    const removed = await removeSavedRule(saved.rule);
    if (!removed.ok) return removed;
    rules.replace(withoutLocalRule(rules.list(), ruleId));
    return { ok: true, value: {} };
  }
  for (const { state } of engine.openSessions()) {
    const index = state.grants.findIndex((_, at) => idOf(state, at) === ruleId);
    if (index === -1) continue;
    const grants = state.grants.filter((_, at) => at !== index);
    return engine.send<"grants.replace">({ type: "grants.replace", sessionId: state.sessionId, grants });
  }
  return notFound("removable rule named", ruleId);
}
