/** The list of messages: keeps what was drawn, and draws again only from the first thing that changed. */
import type { MessageView } from "@kedge/protocol";
import { withoutPlaceholder } from "@kedge/protocol";
import { sliceByColumn } from "../screen/text-width.ts";
import type { View } from "../screen/view.ts";
import type { ClientState } from "../state/client-state.ts";
import { type FullText, fullTextOfCall } from "./full-text.ts";
import { orderItems } from "./order-items.ts";
import { drawRow, isTight, mayGrow, nextRow, type Place, type Row, rowKey } from "./rows.ts";
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

type DrawnRow = Row & { readonly start: number; readonly end: number };

export function createTranscript(parts: TranscriptParts): Transcript {
  let state: TranscriptState | undefined;
  let items: readonly Item[] = [];
  let sections: readonly Section[] = [];
  let isThinkingShown = false;
  let isAllOpen = false;
  const flipped = new Set<string>();
  let drawnWidth = -1;
  let drawnTheme = parts.theme();
  const rows: DrawnRow[] = [];
  let lines: readonly string[] = [];
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

  /** A row before the stale one may take in what comes now. */
  function keptRows(from: number): number {
    let count = rows.length;
    while (count > 0 && (rows[count - 1]?.next.section ?? 0) >= from) count -= 1;
    let last = rows[count - 1];
    while (last !== undefined && mayGrow(last)) {
      count -= 1;
      last = rows[count - 1];
    }
    return count;
  }

  function draw(width: number, from: number): void {
    const kept = keptRows(from);
    rows.length = kept;
    let last = rows[kept - 1];
    const drawn = lines.slice(0, last?.end ?? 0);
    let place: Place = last?.next ?? { section: 0, unit: 0 };
    for (let row = nextRow(sections, place); row !== undefined; row = nextRow(sections, place)) {
      place = row.next;
      const look = { width, isOpen: isOpen(row), isAllOpen, theme: drawnTheme };
      const rowLines = drawRow(row, look);
      if (rowLines.length === 0) continue;
      if (last !== undefined && !(isTight(last) && isTight(row))) drawn.push("");
      const start = drawn.length;
      for (const line of rowLines) drawn.push(line);
      last = { ...row, start, end: drawn.length };
      rows.push(last);
    }
    lines = drawn;
  }

  function rowAt(line: number): DrawnRow | undefined {
    let low = 0;
    let high = rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row === undefined) return undefined;
      if (line < row.start) high = middle - 1;
      else if (line >= row.end) low = middle + 1;
      else return row;
    }
    return undefined;
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
      if (staleFrom !== undefined) draw(columns, staleFrom);
      staleFrom = undefined;
      return columns === width ? lines : lines.map((line) => sliceByColumn(line, 0, width, true));
    },
    toggleGroupAt: (line) => toggle(rowAt(line)),
    expandLast: () => toggle(rows.findLast(canOpen)),
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
      const messageId = rowAt(line)?.units[0]?.messageId;
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
