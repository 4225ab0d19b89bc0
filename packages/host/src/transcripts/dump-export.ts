/** The export as plain text, for pasting: what the model was told, said, called and got. */
import { type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import type { ExportOptions, PreparedExport } from "./export-source.ts";
import { collectPath } from "./message-path.ts";

type FormatCall = NonNullable<ExportOptions["formatCall"]>;

const plainCall: FormatCall = ({ tool, input }) => `${tool} ${input}`;

/** Nothing at all for a session in which nothing was said. */
export async function* writeDump(prepared: PreparedExport, formatCall = plainCall): AsyncGenerator<string> {
  const { path } = await collectPath(prepared.messages, prepared.leafId);
  const texts = path.flatMap((message) => messageTexts(message, formatCall));
  if (texts.length === 0) return;
  const { summary, systemPrompt, effort, tools } = prepared;
  if (systemPrompt !== undefined) yield `[System]:\n${systemPrompt}\n\n`;
  yield `[Model]: ${summary.model}${effort === undefined ? "" : ` (${effort})`}\n\n`;
  if (tools.length > 0)
    yield `[Tools]:\n${tools.map(({ name, description }) => `${name}: ${description}`).join("\n")}\n\n`;
  for (const text of texts) yield `${text}\n\n`;
}

function messageTexts(message: MessageView, formatCall: FormatCall): readonly string[] {
  const speaker = message.isSummary ? "Summary" : message.role === "user" ? "User" : "Assistant";
  const texts = message.parts.flatMap((part) => partTexts(part, { speaker, formatCall }));
  return message.failure === undefined ? texts : [...texts, `[Failure]: ${message.failure.message}`];
}

function partTexts(
  part: PartView,
  { speaker, formatCall }: { readonly speaker: string; readonly formatCall: FormatCall },
): readonly string[] {
  switch (part.type) {
    case "text": {
      // What the model was not shown, such as commands of the user that were kept from it, stays out.
      const text = part.isIgnored ? "" : withoutPlaceholder(part.text);
      return text === "" ? [] : [`[${speaker}]:\n${text}`];
    }
    case "reasoning": {
      const text = withoutPlaceholder(part.text);
      return text === "" ? [] : [`[Think]:\n${text}`];
    }
    case "tool": {
      const { tool, state } = part;
      const input = state.status === "pending" ? state.raw : state.input;
      const call = `[Tool Call]:\n${formatCall({ tool, input })}`;
      if (state.status === "completed") return [call, `[Tool Result]:\n${state.output}`];
      return state.status === "error" ? [call, `[Tool Result]: failed\n${state.error}`] : [call];
    }
    case "file":
      return [`[Attachment]: ${part.media.name} (${part.media.mediaType})`];
    case "compaction":
      return [`[Boundary]: ${part.shortSummary}`];
    case "subtask":
      return [`[Task for ${part.agent}]:\n${part.prompt}`];
    case "snapshot":
    case "patch":
    case "agent":
    case "retry":
    case "step-start":
    case "step-finish":
      return [];
  }
}
