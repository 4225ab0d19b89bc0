/** Has a person decide about a command that only memory speaks for, and names the topic. */
import { basename, dirname, resolve } from "node:path";
import {
  type BeforeCall,
  type CallPhase,
  type ConversationItem,
  isJsonObject,
  parseCallInput,
  type SessionState,
  toolCalls,
} from "@kedge/protocol";
import { recallSourceName } from "./recall-source.ts";

export type ProvenanceParts = {
  /** Of memory. */
  readonly directory: string;
  readonly cwd: string;
  readonly stateOf: (sessionId: string) => Pick<SessionState, "items"> | undefined;
};

type Remembered = { readonly path: string; readonly text: string };

/** Shorter ones stand in any text. */
const charactersMin = 6;

/** Only where a model would answer in the place of the user: elsewhere the ordinary rules ask. */
export function createProvenancePhase({ directory, cwd, stateOf }: ProvenanceParts): CallPhase {
  return {
    name: "memory provenance",
    onError: "refuse",
    tools: ["bash"],
    before({ mode, readOnly, input, sessionId }): BeforeCall | undefined {
      const { command } = input;
      if (mode !== "auto" || readOnly || typeof command !== "string") return undefined;
      const items = stateOf(sessionId)?.items ?? [];
      const wanted = plain(command);
      const said = plain(items.flatMap((item) => (item.type === "prompt" ? [item.text] : [])).join("\n"));
      const found = rememberedIn(items, directory, cwd).find(({ text }) =>
        spansOf(text, wanted).some((span) => !said.includes(span)),
      );
      return found && { decision: "ask", reason: `only memory supports it: ${found.path}${markText(found.text)}` };
    },
  };
}

/** Topics that were recalled or read. */
function rememberedIn(items: readonly ConversationItem[], directory: string, cwd: string): readonly Remembered[] {
  const reads = new Map<string, string>();
  return items.flatMap((item): readonly Remembered[] => {
    if (item.type === "reminder") {
      return item.sent?.source === recallSourceName ? [{ path: item.sent.origin, text: item.text }] : [];
    }
    if (item.type === "answer") {
      for (const { callId, inputText } of toolCalls(item.content)) {
        const input = parseCallInput(inputText);
        const path =
          isJsonObject(input) && typeof input["filePath"] === "string" ? resolve(cwd, input["filePath"]) : "";
        if (dirname(path) === directory) reads.set(callId, basename(path));
      }
    }
    if (item.type !== "results") return [];
    return item.results.flatMap(({ callId, output }) => {
      const path = reads.get(callId);
      return path === undefined ? [] : [{ path, text: output }];
    });
  });
}

/** What of the text is in the command: all of the command, or a piece that the text marks as code. */
function spansOf(text: string, command: string): readonly string[] {
  const whole = plain(text).includes(command) ? [command] : [];
  const marked = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => plain(span));
  return [...whole, ...marked.filter((span) => span.length >= charactersMin && command.includes(span))];
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Who said it and when, as the harness marked it. */
function markText(text: string): string {
  const by = /^<untrusted-data[^>]* by="([\w-]+)"/m.exec(text)?.[1];
  const saved = /^<untrusted-data[^>]* saved="([\d-]+)"/m.exec(text)?.[1];
  const marks = [...(by === undefined ? [] : [by]), ...(saved === undefined ? [] : [`saved ${saved}`])];
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}
