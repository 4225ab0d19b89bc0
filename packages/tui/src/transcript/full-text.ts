/** Everything that a call said, for whoever wants to read all of it. */
import { displayOfTool, type MessageView, type PartView, type ToolDisplay } from "@kedge/protocol";
import { cleanLine, cleanText, judgedText } from "../screen/clean-text.ts";
import type { ClientState } from "../state/client-state.ts";

/** Clean text. */
export type FullText = { readonly title: string; readonly text: string };

export function fullTextOfCall(
  state: Pick<ClientState, "messages" | "tails" | "directory">,
  callId: string,
): FullText | undefined {
  const part = findCall(state.messages, callId);
  if (part === undefined) return undefined;
  const tail = state.tails.get(callId)?.lines;
  const display = displayOfTool(part, { directory: state.directory, ...(tail !== undefined && { tail }) });
  const said = resultOf(part);
  const text = textOf(display, said);
  return { title: cleanLine(`${display.name} ${display.title}`), text: cleanText(text) };
}

type ToolPart = Extract<PartView, { type: "tool" }>;

function findCall(messages: readonly MessageView[], callId: string): ToolPart | undefined {
  for (const { parts } of messages.toReversed()) {
    const found = parts.find((part): part is ToolPart => part.type === "tool" && part.callId === callId);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resultOf({ state }: ToolPart): string {
  return state.status === "completed" ? state.output : state.status === "error" ? state.error : "";
}

/** What the model was told where nothing says more. */
function textOf({ body }: ToolDisplay, said: string): string {
  switch (body.kind) {
    case "terminal": {
      const output = said === "" ? body.output.map(({ text }) => text).join("\n") : said;
      return `$ ${judgedText(body.command)}\n\n${output}`;
    }
    case "diff":
      return body.patch;
    case "replacement":
      return [...marked("-", body.before), ...marked("+", body.after)].join("\n");
    case "json":
      return [body.input, said].filter((text) => text !== "").join("\n\n");
    case "none":
    case "text":
    case "checklist":
    case "search":
    case "page":
    case "question":
      return said;
  }
}

function marked(sign: string, text: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${sign}${line}`);
}
