/** What `before_plan` of a plugin may say, as headings and texts: by the rules of memory for what plugins add. */
import { type PlanPlugin, type PlanText, planText } from "@kedge/extend/code";
import { readPlanAdditions } from "@kedge/memory/lessons";
import type { JsonObject } from "@kedge/protocol";

const headings: { readonly [key: string]: string } = {
  hints: "Hints",
  constraints: "Constraints",
  context: "Context",
  subagent_findings: "Findings of other agents",
  conversation_history: "Earlier conversation",
};

/** `replaceRecall` is told of the session whose recalled topics give way to what the plugin remembers. */
export function readPlanText(
  answer: JsonObject,
  plugin: PlanPlugin,
  replaceRecall: (sessionId: string) => void,
): PlanText {
  const read = readPlanAdditions(answer, plugin);
  if (!read.ok) return read;
  const { added, memories } = read;
  if (read.replacesRecall) replaceRecall(plugin.sessionId);
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
