/** What people and models said: prompts, answers, thoughts, and texts of record. */

import { durationInWords, lineCount, type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { cutText, padText } from "../screen/cut-text.ts";
import { transcriptTexts } from "../texts/conversation.ts";
import { indented, wrapClean } from "./line-text.ts";
import { createMarkdownFeed, type MarkdownFeed } from "./markdown-feed.ts";
import { moreLines, shownLinesMax, type TranscriptParts } from "./transcript-parts.ts";
import { createUnit, joinsNever, type Unit } from "./unit.ts";

const textIndent = 2;
const columnsUsual = 80;

type TextPart = Extract<PartView, { type: "text" }>;
type ThoughtPart = Extract<PartView, { type: "reasoning" }>;
type FilePart = Extract<PartView, { type: "file" }>;

const revisionLinesMax = 4;

const waitingTexts = {
  steer: transcriptTexts.steers,
  "follow-up": transcriptTexts.followsUp,
} as const;

/** All that the user said with one message; one that waits is paler. */
export function createPromptUnit(parts: TranscriptParts, message: MessageView): Unit {
  const text = message.parts
    .filter((part): part is TextPart => part.type === "text" && part.isSynthetic === undefined)
    .map((part) => part.text)
    .join("\n\n");
  const from = message.parts.flatMap((part) => (part.type === "text" && part.from !== undefined ? [part.from] : []))[0];
  const revised = message.parts.flatMap((part) =>
    part.type === "text" && part.revisedBy !== undefined ? part.text : [],
  );
  const files = message.parts.filter((part): part is FilePart => part.type === "file");
  // How wide the screen is, is not known yet.
  const isLong = text.length > shownLinesMax * columnsUsual || lineCount(text) > shownLinesMax;
  return createUnit(
    {
      key: message.id,
      messageId: message.id,
      isTight: false,
      joins: joinsNever,
      isFoldable: isLong || revised.some((each) => lineCount(each) > revisionLinesMax),
    },
    (look) => {
      const { width, isOpen, theme } = look;
      const { symbols } = theme;
      const sign = message.isQueued ? symbols.queued : symbols.prompt;
      const room = Math.max(1, width - sign.length - 1);
      const wrapped = text.trim() === "" ? [] : wrapClean(text, room);
      const count = isOpen ? wrapped.length : Math.min(wrapped.length, shownLinesMax);
      const hidden = wrapped.length - count;
      const rows = [
        ...(from === undefined ? [] : [theme.fg("accent", cutText(cleanLine(from), room, symbols.ellipsis))]),
        ...wrapped.slice(0, count).map((line) => theme.fg("userMessageText", line)),
        ...(hidden > 0 ? [moreLines(parts, { ...look, width: room }, { count: hidden })] : []),
        ...revised
          .flatMap((each) => revisionRows(each, { room, isOpen, ellipsis: symbols.ellipsis }))
          .map((row) => theme.fg("muted", row)),
        ...(message.delivery === undefined ? [] : [cutText(waitingTexts[message.delivery], room, symbols.ellipsis)]),
        ...files.map(({ media }) =>
          theme.fg("muted", cutText(cleanLine(`+ ${media.name} (${media.mediaType})`), room, symbols.ellipsis)),
        ),
      ];
      const space = " ".repeat(sign.length + 1);
      return rows.map((row, index) => {
        const line = (index === 0 ? `${theme.fg("accent", sign)} ` : space) + row;
        return message.isQueued ? theme.faint(line) : theme.bg("userMessageBg", padText(line, width));
      });
    },
  );
}

/** What a hook made of the prompt, below what the user wrote. */
function revisionRows(
  text: string,
  { room, isOpen, ellipsis }: { readonly room: number; readonly isOpen: boolean; readonly ellipsis: string },
): readonly string[] {
  const rows = wrapClean(text, room);
  if (isOpen || rows.length <= revisionLinesMax) return rows;
  const shown = rows.slice(0, revisionLinesMax - 1);
  return [...shown, cutText(`${ellipsis} ${transcriptTexts.moreLines(rows.length - shown.length)}`, room, ellipsis)];
}

/** The feed goes on from one version of the part to the next, and is asked each time: colours of code may come later. */
export function createAnswerUnit(part: TextPart, feed: MarkdownFeed): Unit {
  let source: readonly string[] | undefined;
  let lines: readonly string[] = [];
  return {
    ...{ key: part.id, messageId: part.messageId, isTight: false, joins: joinsNever, isFoldable: false },
    render({ width }) {
      const given = feed.render(Math.max(1, width - textIndent));
      if (given !== source) lines = indented(given, textIndent);
      source = given;
      return lines;
    },
  };
}

export type ThoughtView = {
  /** What is shown of it. */
  readonly text: string;
  /** Unknown while it goes on. */
  readonly endedAt: number | undefined;
  readonly isShown: boolean;
};

const toldThoughtMinMs = 1_000;

function thoughtLabel(durationMs: number): string {
  return durationMs < toldThoughtMinMs
    ? transcriptTexts.thought
    : transcriptTexts.thoughtFor(durationInWords(durationMs));
}

export function createThoughtUnit(part: ThoughtPart, thought: ThoughtView): Unit {
  const { text, endedAt, isShown } = thought;
  const durationMs = endedAt === undefined ? 0 : endedAt - part.time;
  const label = endedAt === undefined ? transcriptTexts.thinking : thoughtLabel(durationMs);
  const joins = isShown || endedAt === undefined ? joinsNever : ({ kind: "between" } as const);
  return createUnit(
    { key: part.id, messageId: part.messageId, isTight: true, joins, isFoldable: !isShown },
    ({ width, isOpen, theme }) => {
      const isUnfolded = isOpen || isShown;
      const sign = isUnfolded ? theme.symbols.unfolded : theme.symbols.folded;
      const head = theme.fg("thinkingText", cutText(`${sign} ${label}`, width, theme.symbols.ellipsis));
      if (!isUnfolded) return [head];
      const lines = wrapClean(text, width - textIndent);
      return [
        head,
        ...indented(
          lines.map((line) => (line === "" ? "" : theme.fg("thinkingText", theme.italic(line)))),
          textIndent,
        ),
      ];
    },
  );
}

/** A text that kedge put in, or a summary: one line until it is opened. */
export function createRecordUnit(
  parts: TranscriptParts,
  record: { readonly key: string; readonly messageId: string; readonly label: string; readonly text: string },
): Unit {
  let feed: MarkdownFeed | undefined;
  return createUnit(
    { key: record.key, messageId: record.messageId, isTight: false, joins: joinsNever, isFoldable: true },
    ({ width, isOpen, theme }) => {
      const { folded, unfolded, ellipsis, separator } = theme.symbols;
      const label = `${isOpen ? unfolded : folded} ${record.label}`;
      const room = width - label.length - separator.length - 2;
      const first = room < 8 ? "" : cutText(cleanLine(record.text.slice(0, 4 * room)), room, ellipsis);
      const tail = first === "" ? "" : ` ${theme.fg("dim", separator)} ${theme.fg("muted", first)}`;
      const head = theme.fg("customMessageLabel", cutText(label, width, ellipsis));
      if (!isOpen) return [head + tail];
      if (feed === undefined) {
        feed = createMarkdownFeed(parts.createMarkdown);
        feed.take(withoutPlaceholder(record.text), { isWhole: true });
      }
      return [head, ...indented(feed.render(Math.max(1, width - textIndent)), textIndent)];
    },
  );
}
