/** Messages, parts and plain views for the tests of the transcript. */
import type { MessageView, PartBody, PartView, ToolPartState } from "@kedge/protocol";
import { cleanText } from "../src/screen/clean-text.ts";
import { cutText } from "../src/screen/cut-text.ts";
import { wrapText } from "../src/screen/text-width.ts";
import type { Theme } from "../src/theme/theme.ts";
import type { TranscriptState } from "../src/transcript/transcript.ts";
import type { DiffInput, DiffView, MarkdownView, TranscriptParts } from "../src/transcript/transcript-parts.ts";
import { bareTheme } from "./bare-theme.ts";

export type MarkdownCalls = { readonly log: string[] };

/** Wraps its text and nothing else; writes down what it was told. */
export function plainMarkdown(calls?: MarkdownCalls): () => MarkdownView {
  return () => {
    let text = "";
    let drawn: { readonly width: number; readonly text: string; readonly lines: readonly string[] } | undefined;
    const told = (what: string) => void calls?.log.push(what);
    return {
      setText(next) {
        told(`set ${next}`);
        text = next;
      },
      append(delta) {
        told(`append ${delta}`);
        text += delta;
      },
      end: () => told("end"),
      render(width) {
        if (drawn?.width !== width || drawn.text !== text)
          drawn = { width, text, lines: wrapText(cleanText(text), width) };
        return drawn.lines;
      },
    };
  };
}

/** The lines of the patch as they stand. */
export function plainDiff(input: DiffInput, path: string, linesMax: number): DiffView {
  const before = "before" in input ? input.before.split("\n").map((line) => `-${line}`) : [];
  const after = "before" in input ? input.after.split("\n").map((line) => `+${line}`) : [];
  const text = "patch" in input ? input.patch : [`@@ ${path}`, ...before, ...after].join("\n");
  const all = cleanText(text).split("\n");
  const rest = all.length - linesMax;
  const lines = rest > 0 ? [...all.slice(0, linesMax), `… ${rest} more lines`] : all;
  return { render: (width) => lines.map((line) => cutText(line, width, "…")) };
}

export function transcriptParts(given: Partial<TranscriptParts> = {}): TranscriptParts {
  const theme = bareTheme();
  return { theme: () => theme, createMarkdown: plainMarkdown(), createDiff: plainDiff, ...given };
}

/** Each style has a code of its own, so that what is not ours is seen. */
export function loudTheme(): Theme {
  const code = (token: string) => 30 + (token.length % 8);
  return {
    ...bareTheme(),
    fg: (token, text) => `\u001b[${code(token)}m${text}\u001b[39m`,
    bg: (token, text) => `\u001b[${code(token) + 10}m${text}\u001b[49m`,
  };
}

export function stateOf(given: Partial<TranscriptState>): TranscriptState {
  return { messages: [], notices: [], tails: new Map(), directory: "/work", isFocused: true, ...given };
}

/** Whatever body, at the next place of its message, a second after the one before. */
export function messageOf(
  id: string,
  given: Partial<Omit<MessageView, "parts">> & { readonly bodies: readonly PartBody[] },
): MessageView {
  const { bodies, ...rest } = given;
  const parts = bodies.map((body, index): PartView => {
    const order = String(index).padStart(5, "0");
    return { ...body, id: `prt_${id}.${order}`, messageId: `msg_${id}`, time: 1_000 * (index + 1) };
  });
  return { id: `msg_${id}`, sessionId: "ses_1", role: "assistant", createdAt: 0, completedAt: 9_000, ...rest, parts };
}

export function promptOf(id: string, text: string, given: Partial<MessageView> = {}): MessageView {
  const { completedAt: _, ...message } = messageOf(id, { role: "user", bodies: [{ type: "text", text }] });
  return { ...message, ...given };
}

export function callOf(tool: string, input: unknown, state: Partial<ToolPartState> & { status: string }): PartBody {
  const inputText = typeof input === "string" ? input : JSON.stringify(input);
  const named = state.status === "pending" ? { raw: inputText } : { input: inputText };
  // Whoever calls it gives the members that its status has.
  return { type: "tool", tool, callId: `call_${tool}`, state: { ...named, ...state } as ToolPartState };
}

export function doneOf(
  tool: string,
  input: unknown,
  end: Partial<Extract<ToolPartState, { status: "completed" }>> = {},
): PartBody {
  return callOf(tool, input, { status: "completed", output: "", startedAt: 1_000, endedAt: 3_300, ...end });
}

export function failedOf(tool: string, input: unknown, error: string, startedAt?: number): PartBody {
  const started = startedAt === undefined ? {} : { startedAt };
  return callOf(tool, input, { status: "error", error, endedAt: 2_000, ...started });
}

/** Without styles, and without the blanks that only fill a background. */
export function plainLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) => cleanText(line).trimEnd());
}

export function readOf(path: string, totalLines = 42): PartBody {
  const metadata = { firstLine: 1, lastLine: totalLines, totalLines };
  return doneOf("read", { filePath: `/work/${path}` }, { title: path, output: "1|x", metadata });
}
