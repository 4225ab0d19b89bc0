/** What stands between the words: boundaries, retries, changed files, failures and notices. */

import type { Failure, MessageView, PartView, StopReason } from "@kedge/protocol";
import { durationInWords } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Notice } from "../state/client-state.ts";
import { transcriptTexts } from "../texts/conversation.ts";
import type { ForegroundToken } from "../theme/theme.ts";
import { indented, wrapClean } from "./line-text.ts";
import { createUnit, joinsNever, type Unit } from "./unit.ts";

type PartOf<Type extends PartView["type"]> = Extract<PartView, { type: Type }>;

const signIndent = 2;
const summaryLinesMax = 6;
const namedFilesMax = 5;

export function createCompactionUnit(part: PartOf<"compaction">): Unit {
  return createUnit({ ...placeOf(part), isTight: false, isFoldable: false }, ({ width, theme }) => {
    const { symbols } = theme;
    const label = transcriptTexts.compacted({
      before: tokens(part.tokensBefore),
      arrow: symbols.arrow,
      after: tokens(part.tokensAfter),
    });
    const head = cutText(`${symbols.horizontal.repeat(2)} ${label} `, width, symbols.ellipsis);
    const rule = symbols.horizontal.repeat(Math.max(0, width - visibleWidth(head)));
    const lines = part.shortSummary.trim() === "" ? [] : wrapClean(part.shortSummary, width - signIndent);
    const shown = lines.slice(0, summaryLinesMax).map((line) => theme.fg("muted", line));
    return [theme.fg("borderMuted", head + rule), ...indented(shown, signIndent)];
  });
}

export function createRetryUnit(part: PartOf<"retry">): Unit {
  const { attempt, code, status, delayMs } = part.retry;
  const reason = `${code.replaceAll("_", " ")}${status === undefined ? "" : ` (${status})`}`;
  const text = transcriptTexts.retried({ attempt, reason, time: durationInWords(delayMs) });
  return saidUnit({ ...placeOf(part), isTight: true }, { tone: "dim", sign: "warning", text });
}

/** Files that no diff above it shows. */
export function createPatchUnit(part: PartOf<"patch">, files: PartOf<"patch">["files"]): Unit | undefined {
  if (files.length === 0) return undefined;
  const named = files
    .slice(0, namedFilesMax)
    .map(({ path, status }) => (status === "modified" ? path : `${path} (${status})`));
  const rest = files.length > named.length ? transcriptTexts.andMore(files.length - named.length) : "";
  const text = transcriptTexts.changedFiles({ count: files.length, names: `${named.join(", ")}${rest}` });
  return saidUnit({ ...placeOf(part), isTight: true }, { tone: "muted", sign: "bullet", text });
}

export function createSubtaskUnit(part: PartOf<"subtask">): Unit {
  const text = `${part.agent}: ${part.description || part.prompt}`;
  return saidUnit({ ...placeOf(part), isTight: true }, { tone: "muted", sign: "arrow", text });
}

export function createAgentUnit(part: PartOf<"agent">): Unit {
  const said = { tone: "muted", sign: "arrow", text: part.name } as const;
  return saidUnit({ ...placeOf(part), isTight: true }, said);
}

export function createFileUnit(part: PartOf<"file">): Unit {
  const said = { tone: "muted", sign: "plus", text: `${part.media.name} (${part.media.mediaType})` } as const;
  return saidUnit({ ...placeOf(part), isTight: true }, said);
}

/** How an answer ended, where that is not how answers should end. */
export function createEndUnit(message: MessageView): Unit | undefined {
  const place = { key: `${message.id}.end`, messageId: message.id, joins: joinsNever, isTight: false };
  if (message.failure?.code === "aborted")
    return saidUnit(place, { tone: "warning", sign: "warning", text: transcriptTexts.interrupted });
  if (message.failure !== undefined)
    return saidUnit(place, { tone: "error", sign: "cross", text: sentences(message.failure) });
  const text = message.stopReason === undefined ? undefined : stopText(message.stopReason);
  return text === undefined ? undefined : saidUnit(place, { tone: "warning", sign: "warning", text });
}

export function createNoticeUnit(notice: Notice): Unit {
  const signs = { info: "info", success: "check", warning: "warning", error: "cross" } as const;
  const place = { key: `notice ${notice.id}`, messageId: notice.afterMessageId, joins: joinsNever, isTight: false };
  const tone = notice.tone === "info" ? "muted" : notice.tone;
  return saidUnit(place, { tone, sign: signs[notice.tone], text: notice.text, hasLines: true });
}

type Said = {
  readonly tone: ForegroundToken;
  readonly sign: "warning" | "cross" | "info" | "check" | "bullet" | "arrow" | "plus";
  readonly text: string;
  readonly hasLines?: true;
};

function saidUnit(place: Omit<Unit, "render" | "isFoldable">, said: Said): Unit {
  const text = said.hasLines ? said.text : cleanLine(said.text);
  return createUnit({ ...place, isFoldable: false }, ({ width, theme }) => {
    const sign = said.sign === "plus" ? "+" : theme.symbols[said.sign];
    const space = " ".repeat(sign.length + 1);
    return wrapClean(text, width - space.length).map((line, index) => {
      if (index > 0) return line === "" ? "" : space + theme.fg(said.tone, line);
      return theme.fg(said.tone, `${sign} ${line}`);
    });
  });
}

function sentences({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}

function stopText(reason: StopReason): string | undefined {
  switch (reason) {
    case "output-limit":
      return transcriptTexts.truncated;
    case "refused":
      return transcriptTexts.declined;
    case "end":
    case "tool-calls":
    case "paused":
    case "other":
      return undefined;
  }
}

function placeOf({ id, messageId }: PartView): Pick<Unit, "key" | "messageId" | "joins"> {
  return { key: id, messageId, joins: joinsNever };
}

function tokens(count: number): string {
  return count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`;
}
