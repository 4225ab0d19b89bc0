/** What a plugin may add before a plan: named keys alone, and memories as data with the plugin's name on them. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { neutraliseText } from "../fence/neutralise-text.ts";

const planKeys = [
  "hints",
  "constraints",
  "context",
  "relevant_memories",
  "subagent_findings",
  "conversation_history",
] as const;

export type PluginMemory = { readonly text: string; readonly origin: `plugin:${string}` };

export type PlanAdditions =
  | {
      readonly ok: true;
      readonly added: { readonly [Key in Exclude<(typeof planKeys)[number], "relevant_memories">]?: Json };
      readonly memories: readonly PluginMemory[];
      /** They stand in the place of those that kedge recalls; else behind them. */
      readonly replacesRecall: boolean;
    }
  | { readonly ok: false; readonly problem: string };

const memoriesMax = 5;
const memoryCharactersMax = 500;
const refusedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** `value` is what the hook answered, parsed from JSON. One wrong key refuses all of it. */
export function readPlanAdditions(
  value: unknown,
  plugin: { readonly name: string; readonly mayReplaceRecall: boolean },
): PlanAdditions {
  if (!isJsonObject(value)) return { ok: false, problem: "The answer of before_plan is not an object." };
  for (const key of Object.keys(value)) {
    if (!planKeys.some((known) => known === key))
      return { ok: false, problem: `before_plan may not add ${JSON.stringify(key)}.` };
  }
  if (holdsRefusedKey(value)) return { ok: false, problem: "before_plan may not add keys of prototypes." };
  const { relevant_memories: given = [], ...added } = value;
  if (!Array.isArray(given) || !given.every((memory) => typeof memory === "string")) {
    return { ok: false, problem: "relevant_memories is not a list of texts." };
  }
  const memories = given.slice(0, memoriesMax).map((text): PluginMemory => {
    const plain = neutraliseText(text, "memory").slice(0, memoryCharactersMax);
    return { text: plain, origin: `plugin:${plugin.name}` };
  });
  return { ok: true, added, memories, replacesRecall: plugin.mayReplaceRecall && memories.length > 0 };
}

/** Without recursion, since a plugin decides how deep it is. */
function holdsRefusedKey(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      if (refusedKeys.has(key)) return true;
      if (inner !== null) open.push(inner);
    }
  }
  return false;
}
