/** A list that is filtered by typing and chosen from by keys: what most dialogs are. */
import { type Key, keyName, type Mouse } from "../../screen/input.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";
import { cutText, flowText, hintLine, padText, rowText } from "../text/dialog-text.ts";
import { createLineCache } from "../text/line-cache.ts";
import { createTextField } from "../text/text-field.ts";
import { type ListItem, type ListRow, type ListRows, listRows } from "./list-rows.ts";

export type { ListItem };

export type ListDialogProps<Value> = {
  readonly title: string;
  /** Asked at every drawing, so that lists are live; the same array as long as nothing changed. */
  readonly items: () => readonly ListItem<Value>[];
  readonly theme: () => Theme;
  /** Closes nothing: whoever opened the dialog closes it, or leaves it open for more. */
  readonly onChoose: (value: Value) => void;
  /** Told when another item is the selected one. */
  readonly onSelect?: (value: Value) => void;
  /** Other keys than those of the list, with the selected item; true when it was one of them. */
  readonly onKey?: (key: Key, value: Value | undefined) => boolean;
  readonly onClosed?: () => void;
  /** Says what to do when there is nothing to choose from. */
  readonly emptyText: string;
  /** The keys beside arrows and Enter, such as `ctrl+d delete`. */
  readonly hint?: string;
  readonly widthWished?: number;
  /** The item that is selected first. */
  readonly selected?: Value;
  /** Whether two values are the same thing, for lists whose values are made anew; without it, the same object. */
  readonly sameAs?: (left: Value, right: Value) => boolean;
};

const widthUsual = 72;
/** Below this many lines there is no room for blank ones. */
const airyHeightMin = 9;
const detailGap = 2;

export function createListDialog<Value>(props: ListDialogProps<Value>): Dialog {
  const { onSelect, sameAs = Object.is } = props;
  const filter = createTextField({});
  const cached = createLineCache();
  let shown: ListRows<Value> = { rows: [], items: [], places: [], best: undefined };
  let seen: { readonly items: readonly unknown[]; readonly query: string } | undefined;
  let selected: { readonly value: Value } | undefined =
    props.selected === undefined ? undefined : { value: props.selected };
  /** Of the whole list, whatever was typed. */
  let rowsMax = 0;
  let selectedAt = 0;
  let top = 0;
  let changes = 0;
  /** Of the last drawing, for pages and the mouse. */
  let rowsPlace = { y: 0, count: 1 };

  function refresh(): void {
    const items = props.items();
    const query = filter.text();
    if (seen?.items === items && seen.query === query) return;
    const isTyped = seen !== undefined && seen.query !== query;
    const isOther = seen?.items !== items;
    seen = { items, query };
    shown = listRows(items, query);
    if (isOther) rowsMax = query === "" ? shown.rows.length : listRows(items, "").rows.length;
    const wanted = isTyped && query !== "" ? shown.best : undefined;
    const kept = selected;
    const at = shown.items.findIndex(
      wanted === undefined ? ({ value }) => kept !== undefined && sameAs(value, kept.value) : (item) => item === wanted,
    );
    // What was selected is gone: what stands at its place now is nearest to it.
    select(at < 0 ? selectedAt : at);
  }

  function select(at: number): true {
    selectedAt = Math.max(0, Math.min(shown.items.length - 1, at));
    const item = shown.items[selectedAt];
    const before = selected;
    changes += 1;
    if (item === undefined) return true;
    selected = { value: item.value };
    if (before !== undefined && !sameAs(before.value, item.value)) onSelect?.(item.value);
    return true;
  }

  function choose(): true {
    const item = shown.items[selectedAt];
    if (item !== undefined) props.onChoose(item.value);
    return true;
  }

  function handleKey(key: Key): boolean {
    switch (keyName(key)) {
      case "up":
      case "ctrl+p":
        return select(selectedAt === 0 ? shown.items.length - 1 : selectedAt - 1);
      case "down":
      case "ctrl+n":
        return select(selectedAt >= shown.items.length - 1 ? 0 : selectedAt + 1);
      case "pageUp":
        return select(selectedAt - rowsPlace.count);
      case "pageDown":
        return select(selectedAt + rowsPlace.count);
      case "home":
        return select(0);
      case "end":
        return select(shown.items.length - 1);
      case "enter":
        return choose();
      default:
        return props.onKey?.(key, shown.items[selectedAt]?.value) ?? false;
    }
  }

  function handleMouse({ type, y, wheelLines = 0 }: Mouse): boolean {
    if (type === "wheel") return select(selectedAt + wheelLines);
    if (type !== "click") return true;
    const at = y - rowsPlace.y;
    const row = at < 0 || at >= rowsPlace.count ? undefined : shown.rows[top + at];
    if (row?.kind !== "item") return true;
    select(shown.items.indexOf(row.item));
    return choose();
  }

  /** The row of the selected item stays in sight, and the name of its group with the first item. */
  function scroll(count: number): void {
    const at = shown.places[selectedAt] ?? 0;
    const upper = shown.rows[at - 1]?.kind === "group" ? at - 1 : at;
    if (upper < top || count < 2) top = count < 2 ? at : upper;
    else if (at >= top + count) top = at - count + 1;
    top = Math.max(0, Math.min(top, shown.rows.length - count));
  }

  function draw(width: number, height: number): readonly string[] {
    const theme = props.theme();
    const gap = height >= airyHeightMin ? [""] : [];
    const room = Math.max(1, height - 2 - 2 * gap.length);
    // As high as the whole list, so that the frame does not move while one types.
    const count = Math.max(1, Math.min(room, rowsMax));
    rowsPlace = { y: 1 + gap.length, count };
    scroll(count);
    const item = shown.items[selectedAt];
    const rows =
      shown.rows.length === 0
        ? emptyLines(width, theme).slice(0, room)
        : shown.rows.slice(top, top + count).map((row) => rowLine(row, item, { width, theme }));
    const blank = Array.from({ length: count - rows.length }, () => "");
    const hints = ["up/down select", "enter choose", ...(props.hint === undefined ? [] : [rowText(props.hint)])];
    const hint = hintLine(hints, width, theme);
    return [filterLine(width, theme), ...gap, ...rows, ...blank, ...gap, hint].slice(0, height);
  }

  function emptyLines(width: number, theme: Theme): readonly string[] {
    const sentence = rowsMax === 0 ? props.emptyText : "Nothing matches; backspace widens the search.";
    return flowText(sentence, width).map((line) => theme.fg("muted", line));
  }

  function filterLine(width: number, theme: Theme): string {
    const total = props.items().length;
    const count = `${shown.items.length}/${total}`;
    const sign = `${theme.symbols.prompt} `;
    const room = width - visibleWidth(sign) - count.length - 1;
    if (room < 4) return theme.fg("accent", sign.trimEnd());
    const typed = filter.render({ width: room, theme })[0] ?? "";
    return theme.fg("accent", sign) + padText(typed, room + 1) + theme.fg("dim", count);
  }

  return {
    title: props.title,
    widthWished: props.widthWished ?? widthUsual,
    render(width, height) {
      refresh();
      return cached([width, height, seen?.items, props.theme(), changes], () => draw(width, height));
    },
    handle(input) {
      refresh();
      if (input.kind === "mouse") return handleMouse(input.mouse);
      if (input.kind === "key" && handleKey(input.key)) {
        changes += 1;
        return true;
      }
      const isTaken = filter.handle(input);
      changes += 1;
      refresh();
      return isTaken;
    },
    closed: () => props.onClosed?.(),
  };
}

function rowLine<Value>(
  row: ListRow<Value>,
  selected: ListItem<Value> | undefined,
  { width, theme }: { readonly width: number; readonly theme: Theme },
): string {
  const { ellipsis, prompt } = theme.symbols;
  if (row.kind === "group") return theme.fg("muted", theme.bold(cutText(rowText(row.name), width, ellipsis)));
  const { item } = row;
  const isSelected = item === selected;
  const right = cutText(rowText(item.right ?? ""), Math.floor(width / 2), ellipsis);
  const left = width - 2 - (right === "" ? 0 : visibleWidth(right) + 1);
  const label = cutText(rowText(item.label), left, ellipsis);
  const room = left - visibleWidth(label) - detailGap;
  const detail = room < 4 ? "" : cutText(rowText(item.detail ?? ""), room, ellipsis);
  const gap = " ".repeat(
    Math.max(0, left - visibleWidth(label) - (detail === "" ? 0 : detailGap + visibleWidth(detail))),
  );
  const mark = isSelected ? theme.fg("accent", padText(prompt, 2)) : "  ";
  const parts = [
    mark,
    isSelected ? theme.fg("accent", label) : theme.fg("text", label),
    detail === "" ? "" : " ".repeat(detailGap) + theme.fg("muted", detail),
    gap,
    right === "" ? "" : ` ${theme.fg("dim", right)}`,
  ];
  const line = parts.join("");
  return isSelected ? theme.bg("selectedBg", line) : line.trimEnd();
}
