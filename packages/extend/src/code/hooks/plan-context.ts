/** What `before_plan` adds: the keys that are allowed, each under its own heading and within its share. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { hasCapability } from "../code-group.ts";
import type { CodeParts } from "../code-parts.ts";
import type { UnitHooks } from "./unit-hooks.ts";

const keyCharactersMax = 4_096;
const charactersMax = 12_288;

const keys: ReadonlySet<string> = new Set([
  "hints",
  "constraints",
  "context",
  "relevant_memories",
  "subagent_findings",
  "conversation_history",
]);

export type PlanContext = {
  /** Texts for the model; what was dropped is counted. */
  read(sessionId: string, input: JsonObject, signal: AbortSignal): Promise<readonly string[]>;
  /** Keys that were dropped so far. */
  dropped(): number;
};

export function createPlanContext(hooks: UnitHooks, parts: Pick<CodeParts, "readPlan" | "onNotice">): PlanContext {
  let droppedCount = 0;
  const { group } = hooks.unit;
  const plugin = {
    name: hooks.name.replace(/^plugin:/, ""),
    // Files without a manifest may do everything, but they have declared nothing.
    mayReplaceRecall: group.capabilities !== "all" && hasCapability(group, "recall"),
  };
  return {
    dropped: () => droppedCount,
    async read(sessionId, input, signal) {
      const end = await hooks.run({ hook: "before_plan", sessionId, input, output: {}, signal });
      if (end.kind === "threw") parts.onNotice(`The hook before_plan of ${hooks.unit.name} failed: ${end.problem}.`);
      if (end.kind !== "done") return [];
      const given = end.answer ?? end.output;
      const entries = Object.entries(given);
      const allowed = entries.filter(([key]) => keys.has(key));
      droppedCount += entries.length - allowed.length;
      if (allowed.length === 0) return [];
      const read = parts.readPlan(Object.fromEntries(allowed), { ...plugin, sessionId });
      if (!read.ok) {
        parts.onNotice(`${hooks.unit.name}: ${read.problem}`);
        return [];
      }
      let left = charactersMax;
      return read.sections.flatMap(({ heading, text }) => {
        const shown = text.slice(0, Math.min(keyCharactersMax, left));
        left -= shown.length;
        return shown === "" ? [] : [`## ${heading}\n${shown}`];
      });
    },
  };
}

/** What a key holds, as text. */
export function planText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => `- ${planText(each)}`).join("\n");
  return isJsonObject(value) ? JSON.stringify(value, undefined, 2) : String(value);
}
