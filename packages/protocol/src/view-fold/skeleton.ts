/** Facts without their texts: enough for the session's own fold to keep the tree, and next to nothing in memory. */
import type { AssistantBlock } from "../content.ts";
import type { Fact } from "../facts/facts.ts";
import { titleOfPrompt } from "../facts/fold-prompts.ts";

/** The same fact for the tree, the undo points, the totals and the title; whatever else it says is left out. */
export function skeletonOf(fact: Fact): Fact {
  switch (fact.type) {
    case "prompt.admitted": {
      const { attachments: _, ...kept } = fact;
      // The first prompt gives the session its title.
      return { ...kept, text: titleOfPrompt(fact.text) };
    }
    case "prompt.revised":
      return { ...fact, text: "" };
    case "step.started":
      return fact.reminders.length === 0 ? fact : { ...fact, reminders: fact.reminders.map(() => "") };
    case "step.progressed":
      return { ...fact, appended: [] };
    case "step.ended": {
      const { retries: _, ...kept } = fact;
      return { ...kept, content: fact.content.map(bareBlock) };
    }
    case "tool.started":
      return { ...fact, inputText: "" };
    case "tool.ended": {
      const { metadata: _, media: __, ...kept } = fact;
      return { ...kept, output: "" };
    }
    case "job.started":
      return { ...fact, command: "" };
    case "agent.started":
      return { ...fact, description: "" };
    case "agent.ended": {
      const { structured: _, ...kept } = fact;
      return { ...kept, result: "" };
    }
    case "mail.received":
      return { ...fact, text: "" };
    case "question.asked":
      return { ...fact, questions: [] };
    case "permission.asked":
      return { ...fact, patterns: [], always: [] };
    case "permission.answered":
      return { ...fact, grants: [] };
    case "files.changed":
      return { ...fact, files: [] };
    case "conversation.rewound":
      return { ...fact, report: "", files: [] };
    case "context.cleared":
      return { ...fact, results: [] };
    case "context.compacted": {
      const { frames: _, vendorHistory: __, ...kept } = fact;
      return { ...kept, summary: "", shortSummary: "", restored: [], boundary: {} };
    }
    case "message.added":
      return { ...fact, text: "" };
    case "run.ended": {
      const { structured: _, ...kept } = fact;
      return { ...kept, text: "" };
    }
    default:
      return fact;
  }
}

const bareText: AssistantBlock = { type: "text", text: "" };

/** That there is a block counts, and which call it is. */
function bareBlock(block: AssistantBlock): AssistantBlock {
  if (block.type !== "tool-call") return bareText;
  const { callId, tool } = block;
  return { type: "tool-call", callId, tool, inputText: "" };
}
