/** What `before_plan` of a plugin may say, as headings and texts: by the rules of memory for what plugins add. */
import { type PlanText, planText } from "@kedge/extend/code";
import { readPlanAdditions } from "@kedge/memory/lessons";
import type { JsonObject } from "@kedge/protocol";

const headings: { readonly [key: string]: string } = {
  hints: "Hints",
  constraints: "Constraints",
  context: "Context",
  subagent_findings: "Findings of other agents",
  conversation_history: "Earlier conversation",
};

export function readPlanText(
  answer: JsonObject,
  plugin: { readonly name: string; readonly mayReplaceRecall: boolean },
): PlanText {
  const read = readPlanAdditions(answer, plugin);
  if (!read.ok) return read;
  const { added, memories } = read;
  return {
    ok: true,
    sections: [
      ...Object.entries(added).map(([key, value]) => ({ heading: headings[key] ?? key, text: planText(value) })),
      ...(memories.length === 0
        ? []
        : [{ heading: "Memories", text: memories.map(({ text }) => `- ${text}`).join("\n") }]),
    ],
  };
}
