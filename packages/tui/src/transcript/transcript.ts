/** The list of messages: keeps what was drawn, and draws again only from the first thing that changed. */
import type { MessageView } from "@kedge/protocol";
import { withoutPlaceholder } from "@kedge/protocol";
import { sliceByColumn } from "../screen/text-width.ts";
import type { View } from "../screen/view.ts";
import type { ClientState } from "../state/client-state.ts";
import { type FullText, fullTextOfCall } from "./full-text.ts";
import { orderItems } from "./order-items.ts";
import { createRowDrawing } from "./row-drawing.ts";
import { type Row, rowKey } from "./rows.ts";
import { type Item, makeSection, type Section, type SectionContext } from "./section.ts";
import type { TranscriptParts } from "./transcript-parts.ts";

export type TranscriptState = Pick<ClientState, "messages" | "notices" | "tails" | "directory" | "isFocused">;

export interface Transcript extends View {
  /** Told of every new state, and of every frame while the reveal has something to show. */
  update(state: TranscriptState): void;
  /** Opens or closes what stands at the line; false where there is nothing to open. */
  toggleGroupAt(line: number): boolean;
  /** Opens or closes the last thing that can be opened; false where there is none. */
  expandLast(): boolean;
  expandAll(isOn: boolean): void;
  setThinking(isShown: boolean): void;
  /** What others drew has changed, such as the colours of code that came later. */
  repaint(): void;
  /** As the model wrote it. */
  textOfLastAnswer(): string | undefined;
  messageAt(line: number): MessageView | undefined;
  /** All of a call's result, for the pager. */
  fullTextOf(callId: string): FullText | undefined;
}

/** An indent and one wide character need so much; a screen that is narrower shows the beginnings of the lines. */
const columnsMin = 6;

export function createTranscript(parts: TranscriptParts): Transcript {
  let state: TranscriptState | undefined;
  let items: readonly Item[] = [];
  let sections: readonly Section[] = [];
  let isThinkingShown = false;
  let isAllOpen = false;
  const flipped = new Set<string>();
  let drawnWidth = -1;
  let drawnTheme = parts.theme();
  const drawing = createRowDrawing();
  /** The first section that is not drawn as it is now. */
  let staleFrom: number | undefined;

  const contextNow = (now: TranscriptState): SectionContext => ({ parts, state: now, isThinkingShown });
  const isOpen = (row: Row) => isAllOpen !== flipped.has(rowKey(row));
  const stale = (section: number) => {
    staleFrom = Math.min(staleFrom ?? section, section);
  };

  function remakeAll(now: TranscriptState): void {
    const context = contextNow(now);
    sections = sections.map((section) => makeSection(section.item, section, context));
    stale(0);
  }

  /** Sections of other items are found by what they show, since older messages come in front of them. */
  function takeItems(next: readonly Item[], context: SectionContext): void {
    let same = 0;
    while (same < next.length && same < items.length && next[same] === items[same]) same += 1;
    if (same === next.length && same === items.length) return;
    const before = new Map(sections.slice(same).map((section) => [section.item.id, section]));
    const rest = next.slice(same).map((item) => {
      const known = before.get(item.id);
      return known !== undefined && known.item === item ? known : makeSection(item, known, context);
    });
    items = next;
    sections = [...sections.slice(0, same), ...rest];
    stale(same);
  }

  /** Those that are still at work are the last ones, mostly one. */
  function takeLive(context: SectionContext): void {
    let changed: Section[] | undefined;
    for (let index = 0; index < sections.length; index += 1) {
      const section = sections[index];
      if (section === undefined || !section.isLive) continue;
      const made = makeSection(section.item, section, context);
      if (made === section) continue;
      changed ??= [...sections];
      changed[index] = made;
      stale(index);
    }
    if (changed !== undefined) sections = changed;
  }

  function update(next: TranscriptState): void {
    const before = state;
    state = next;
    const context = contextNow(next);
    if (before?.messages !== next.messages || before.notices !== next.notices)
      takeItems(orderItems(next.messages, next.notices), context);
    takeLive(context);
  }

  function toggle(row: Row | undefined): boolean {
    if (row === undefined || !canOpen(row)) return false;
    const key = rowKey(row);
    if (!flipped.delete(key)) flipped.add(key);
    const index = sections.findLastIndex(({ units }) => row.units[0] !== undefined && units.includes(row.units[0]));
    stale(Math.max(0, index));
    return true;
  }

  return {
    update,
    render(width) {
      const theme = parts.theme();
      const columns = Math.max(columnsMin, width);
      if (columns !== drawnWidth || theme !== drawnTheme) stale(0);
      drawnWidth = columns;
      drawnTheme = theme;
      if (staleFrom !== undefined) {
        const lookOf = (row: Row) => ({ width: columns, isOpen: isOpen(row), isAllOpen, theme });
        drawing.draw(sections, staleFrom, lookOf);
      }
      staleFrom = undefined;
      const lines = drawing.lines();
      return columns === width ? lines : lines.map((line) => sliceByColumn(line, 0, width, true));
    },
    toggleGroupAt: (line) => toggle(drawing.rowAt(line)),
    expandLast: () => toggle(drawing.rows.findLast(canOpen)),
    expandAll(isOn) {
      isAllOpen = isOn;
      flipped.clear();
      stale(0);
    },
    setThinking(isShown) {
      if (isShown === isThinkingShown) return;
      isThinkingShown = isShown;
      if (state !== undefined) remakeAll(state);
    },
    repaint: () => stale(0),
    textOfLastAnswer: () => lastAnswer(state?.messages ?? []),
    messageAt(line) {
      const messageId = drawing.rowAt(line)?.units[0]?.messageId;
      return messageId === undefined ? undefined : state?.messages.find(({ id }) => id === messageId);
    },
    fullTextOf: (callId) => state && fullTextOfCall(state, callId),
  };
}

function canOpen({ isGroup, units }: Row): boolean {
  return isGroup || units[0]?.isFoldable === true;
}

function lastAnswer(messages: readonly MessageView[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant" || message.isSummary) continue;
    const texts = message.parts.flatMap((part) =>
      part.type === "text" && part.isSynthetic === undefined ? [withoutPlaceholder(part.text)] : [],
    );
    const text = texts.filter((each) => each !== "").join("\n\n");
    if (text !== "") return text;
  }
  return undefined;
}
