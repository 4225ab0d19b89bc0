/** What an export is made from, and the same with everything taken out that must not leave. */
import type { FactRecord, MessageView, SessionSummary } from "@kedge/protocol";
import { type ExportedRow, rowOfRecord } from "./journal-row.ts";
import { type Leaving, prepareMessage, prepareRow, redactValue } from "./prepare-export.ts";

export const exportFormats = ["json", "jsonl", "md", "html", "dump"] as const;

export type ExportFormat = (typeof exportFormats)[number];

export type ExportSource = {
  readonly summary: SessionSummary;
  readonly records: AsyncIterable<FactRecord>;
  /** The same records with their salts, where the store gives them; without them no content can be checked later. */
  readonly rows?: AsyncIterable<ExportedRow>;
  readonly messages: AsyncIterable<MessageView> | readonly MessageView[];
  /** The work in the form of a pull request, where somebody had it written. */
  readonly workSummary?: string;
  /** Where the conversation goes on. */
  readonly leafId?: string;
  readonly kedgeVersion: string;
  readonly gitBranch?: string;
  readonly systemPrompt?: string;
  readonly effort?: string;
  readonly tools?: readonly ExportedTool[];
};

export type ExportedTool = { readonly name: string; readonly description: string };

export type ExportOptions = {
  readonly format: ExportFormat;
  /** `none` has to be said, so that nobody forgets it. */
  readonly redact: ((text: string) => string) | "none";
  readonly withoutToolOutput?: boolean;
  readonly withoutReasoning?: boolean;
  /** A call as the model itself writes it; used by `dump`. */
  readonly formatCall?: (call: { readonly tool: string; readonly input: string }) => string;
};

/** What a format is written from. Nothing in it needs to be taken out any more. */
export type PreparedExport = Pick<ExportSource, "summary" | "kedgeVersion"> & {
  readonly leafId: string | undefined;
  readonly workSummary: string | undefined;
  readonly gitBranch: string | undefined;
  readonly systemPrompt: string | undefined;
  readonly effort: string | undefined;
  readonly tools: readonly ExportedTool[];
  readonly messages: AsyncIterable<MessageView>;
  readonly rows: AsyncIterable<ExportedRow>;
  readonly isRedacted: boolean;
  readonly leftOut: readonly ("tool-output" | "reasoning")[];
};

export function prepareExport(source: ExportSource, options: ExportOptions): PreparedExport {
  const { redact, withoutToolOutput = false, withoutReasoning = false } = options;
  const leaving: Leaving = { redact, withoutToolOutput, withoutReasoning };
  const redacted = <Value>(value: Value): Value =>
    // Redaction puts text in the place of text, and so the value keeps its shape.
    redact === "none" ? value : (redactValue(value, redact) as Value);
  const { rows = mapEach(source.records, rowOfRecord) } = source;
  return {
    summary: redacted(source.summary),
    kedgeVersion: source.kedgeVersion,
    leafId: source.leafId,
    workSummary: redacted(source.workSummary),
    gitBranch: redacted(source.gitBranch),
    systemPrompt: redacted(source.systemPrompt),
    effort: source.effort,
    tools: redacted(source.tools ?? []),
    messages: mapEach(source.messages, (message) => prepareMessage(message, leaving)),
    rows: mapEach(rows, (row) => prepareRow(row, leaving)),
    isRedacted: redact !== "none",
    leftOut: [
      ...(withoutToolOutput ? ["tool-output" as const] : []),
      ...(withoutReasoning ? ["reasoning" as const] : []),
    ],
  };
}

async function* mapEach<From, To>(
  items: AsyncIterable<From> | Iterable<From>,
  change: (item: From) => To,
): AsyncGenerator<To> {
  for await (const item of items) yield change(item);
}
