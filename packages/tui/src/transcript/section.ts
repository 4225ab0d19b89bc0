/** The units of one message or notice, rebuilt only where something of it changed. */

import { type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import type { ClientState, Notice } from "../state/client-state.ts";
import { transcriptTexts } from "../texts/conversation.ts";
import {
  createAgentUnit,
  createCompactionUnit,
  createEndUnit,
  createFileUnit,
  createNoticeUnit,
  createPatchUnit,
  createRetryUnit,
  createSubtaskUnit,
} from "./mark-units.ts";
import { createMarkdownFeed, type MarkdownFeed } from "./markdown-feed.ts";
import { createAnswerUnit, createPromptUnit, createRecordUnit, createThoughtUnit } from "./text-units.ts";
import { createToolUnit, type ToolPart } from "./tool-unit.ts";
import type { TranscriptParts } from "./transcript-parts.ts";
import type { Unit } from "./unit.ts";

export type Item = MessageView | Notice;

export type Section = {
  readonly item: Item;
  readonly units: readonly Unit[];
  /** It may change although its message stays the same object: by output that runs in, or by text that is revealed. */
  readonly isLive: boolean;
  /** By what they show, for the next version. */
  readonly made: ReadonlyMap<string, Made>;
};

/** A unit is as good as what it was made from. */
type Made = { readonly from: readonly unknown[]; readonly unit: Unit | undefined; readonly feed?: MarkdownFeed };

export type SectionContext = {
  readonly parts: TranscriptParts;
  readonly state: Pick<ClientState, "tails" | "directory" | "isFocused">;
  readonly isThinkingShown: boolean;
};

export function isMessage(item: Item): item is MessageView {
  return "parts" in item;
}

/** Gives back the section before it where nothing changed. */
export function makeSection(item: Item, before: Section | undefined, context: SectionContext): Section {
  const making = startMaking(before);
  const isLive = isMessage(item) ? makeMessage(item, context, making) : makeNotice(item, making);
  const units = making.units;
  if (before !== undefined && before.item === item && before.isLive === isLive && isSameList(before.units, units))
    return before;
  return { item, units, isLive, made: making.made };
}

type Making = {
  readonly units: Unit[];
  readonly made: Map<string, Made>;
  keep(key: string, from: readonly unknown[], make: () => Unit | undefined): void;
  feedOf(key: string, create: () => MarkdownFeed): MarkdownFeed;
};

function startMaking(before: Section | undefined): Making {
  const units: Unit[] = [];
  const made = new Map<string, Made>();
  const feeds = new Map<string, MarkdownFeed>();
  return {
    units,
    made,
    keep(key, from, make) {
      const old = before?.made.get(key);
      const feed = feeds.get(key);
      const unit = old !== undefined && isSameList(old.from, from) ? old.unit : make();
      made.set(key, { from, unit, ...(feed !== undefined && { feed }) });
      if (unit !== undefined) units.push(unit);
    },
    feedOf(key, create) {
      const feed = before?.made.get(key)?.feed ?? create();
      feeds.set(key, feed);
      return feed;
    },
  };
}

function makeNotice(notice: Notice, making: Making): boolean {
  making.keep(notice.id, [notice], () => createNoticeUnit(notice));
  return false;
}

function makeMessage(message: MessageView, context: SectionContext, making: Making): boolean {
  if (message.role === "user") return makeUserMessage(message, context, making);
  if (message.isSummary) return makeSummary(message, context, making);
  message.parts.forEach((part, index) => {
    makePart(part, { message, index, context, making });
  });
  const { failure, stopReason } = message;
  making.keep(".end", [failure, stopReason], () => createEndUnit(message));
  return message.completedAt === undefined || message.parts.some(isAtWork);
}

function makeUserMessage(message: MessageView, { parts }: SectionContext, making: Making): boolean {
  const compaction = message.parts.find((part) => part.type === "compaction");
  if (compaction !== undefined) {
    making.keep(compaction.id, [compaction], () => createCompactionUnit(compaction));
    return false;
  }
  const isRecord = message.parts.every((part) => part.type !== "text" || part.isSynthetic === true);
  const [record] = message.parts;
  if (isRecord && record?.type === "text") {
    const { id: key, text } = record;
    if (text.startsWith("$ ")) {
      // The user ran it to see it.
      const { isSynthetic: _, ...said } = record;
      making.keep(key, [record], () => createPromptUnit(parts, { ...message, parts: [said] }));
    } else
      making.keep(key, [record], () =>
        createRecordUnit(parts, { key, messageId: message.id, label: transcriptTexts.note, text }),
      );
  } else making.keep(message.id, [message], () => createPromptUnit(parts, message));
  return false;
}

function makeSummary(message: MessageView, { parts }: SectionContext, making: Making): boolean {
  const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const { id: key } = message;
  making.keep(key, [message], () =>
    createRecordUnit(parts, { key, messageId: key, label: transcriptTexts.summary, text }),
  );
  return false;
}

type PartPlace = {
  readonly message: MessageView;
  readonly index: number;
  readonly context: SectionContext;
  readonly making: Making;
};

function makePart(part: PartView, place: PartPlace): void {
  const { context, making, message } = place;
  const { parts, state } = context;
  switch (part.type) {
    case "text":
      if (part.isSynthetic === undefined) makeAnswer(part, place);
      return;
    case "reasoning":
      makeThought(part, place);
      return;
    case "tool": {
      const tail = part.state.status === "running" ? state.tails.get(part.callId)?.lines : undefined;
      const shown = { directory: state.directory, ...(tail !== undefined && { tail }) };
      making.keep(part.id, [part, tail, state.directory], () => createToolUnit(parts, part, shown));
      return;
    }
    case "patch": {
      const files = part.files.filter(({ path }) => !isShownAsDiff(message, path));
      const from = [part, files.length];
      making.keep(part.id, from, () => createPatchUnit(part, files));
      return;
    }
    case "compaction":
      making.keep(part.id, [part], () => createCompactionUnit(part));
      return;
    case "retry":
      making.keep(part.id, [part], () => createRetryUnit(part));
      return;
    case "file":
      making.keep(part.id, [part], () => createFileUnit(part));
      return;
    case "subtask":
      making.keep(part.id, [part], () => createSubtaskUnit(part));
      return;
    case "agent":
      making.keep(part.id, [part], () => createAgentUnit(part));
      return;
    case "snapshot":
    case "step-start":
    case "step-finish":
      return;
  }
}

function makeAnswer(part: Extract<PartView, { type: "text" }>, { message, index, context, making }: PartPlace): void {
  const whole = withoutPlaceholder(part.text);
  if (whole === "") return;
  const { parts, state } = context;
  const isWhole = endOf(message, index) !== undefined;
  const isEnded = isWhole || !state.isFocused;
  const text = parts.reveal?.shown(part.id, whole, { isEnded }) ?? whole;
  if (text === "") return;
  const feed = making.feedOf(part.id, () => createMarkdownFeed(parts.createMarkdown));
  making.keep(part.id, [text, isWhole], () => {
    feed.take(text, { isWhole });
    return createAnswerUnit(part, feed);
  });
}

function makeThought(
  part: Extract<PartView, { type: "reasoning" }>,
  { message, index, context, making }: PartPlace,
): void {
  const whole = withoutPlaceholder(part.text);
  if (whole === "") return;
  const { parts, state, isThinkingShown: isShown } = context;
  const endedAt = endOf(message, index);
  const isEnded = endedAt !== undefined || !state.isFocused || !isShown;
  const text = parts.reveal?.shown(part.id, whole, { isEnded }) ?? whole;
  making.keep(part.id, [text, endedAt, isShown], () => createThoughtUnit(part, { text, endedAt, isShown }));
}

/** When a part was over: the next one began, or the message ended. */
function endOf(message: MessageView, index: number): number | undefined {
  const next = message.parts[index + 1];
  return next?.time ?? message.completedAt;
}

function isAtWork(part: PartView): boolean {
  return part.type === "tool" && (part.state.status === "pending" || part.state.status === "running");
}

/** The diff of an edit of the same message names the file already. */
function isShownAsDiff({ parts }: MessageView, path: string): boolean {
  return parts.some((part) => part.type === "tool" && namesFile(diffOf(part), path));
}

function namesFile(diff: string | undefined, path: string): boolean {
  return diff !== undefined && (diff.includes(`+++ b/${path}\n`) || diff.includes(`--- a/${path}\n`));
}

function diffOf({ state }: ToolPart): string | undefined {
  const diff = state.status === "completed" ? state.metadata?.["diff"] : undefined;
  return typeof diff === "string" ? diff : undefined;
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
