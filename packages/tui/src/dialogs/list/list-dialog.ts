/** A list that is filtered by typing and chosen from by keys: what most dialogs are. */

import { type Key, keyName, type Mouse } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { listTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { hintLine, rowText } from "../text/dialog-text.ts";
import { createTextField } from "../text/text-field.ts";
import { emptyLines, filterLine, rowLine } from "./list-lines.ts";
import type { ListItem } from "./list-rows.ts";
import { createListSelection } from "./list-selection.ts";

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
  /** Whether two values are the same thing, for lists whose values are rebuilt; without it, the same object. */
  readonly sameAs?: (left: Value, right: Value) => boolean;
};

/** A list that is longer than its dialog says so. */
function countText(
  found: number,
  all: number,
  { typed, width }: { readonly typed: string; readonly width: number },
): string {
  if (typed !== "") return listTexts.found({ found, all });
  return all > 1 && width >= roomyWidthMin ? listTexts.countToFilter(all) : listTexts.count(all);
}

const widthUsual = 72;
const roomyWidthMin = 40;
/** Below this many lines there is no room for blank ones. */
const airyHeightMin = 9;

export function createListDialog<Value>(props: ListDialogProps<Value>): Dialog {
  const filter = createTextField({});
  const list = createListSelection(props);
  const cached = createRemembered<readonly string[]>();
  let top = 0;
  let changes = 0;
  /** Of the last drawing, for pages and the mouse. */
  let rowsPlace = { y: 0, count: 1 };

  function refresh(): void {
    list.refresh(filter.text());
  }

  function select(at: number): true {
    list.select(at);
    return true;
  }

  function choose(): true {
    const item = list.selected();
    if (item !== undefined) props.onChoose(item.value);
    return true;
  }

  function handleKey(key: Key): boolean {
    const at = list.at();
    const last = list.shown().items.length - 1;
    switch (keyName(key)) {
      case "up":
      case "ctrl+p":
        return select(at === 0 ? last : at - 1);
      case "down":
      case "ctrl+n":
        return select(at >= last ? 0 : at + 1);
      case "pageUp":
        return select(at - rowsPlace.count);
      case "pageDown":
        return select(at + rowsPlace.count);
      case "home":
        return select(0);
      case "end":
        return select(last);
      case "enter":
        return choose();
      default:
        return props.onKey?.(key, list.selected()?.value) ?? false;
    }
  }

  function handleMouse({ type, y, wheelLines = 0 }: Mouse): boolean {
    if (type === "wheel") return select(list.at() + wheelLines);
    if (type !== "click") return true;
    const { rows, items } = list.shown();
    const at = y - rowsPlace.y;
    const row = at < 0 || at >= rowsPlace.count ? undefined : rows[top + at];
    if (row?.kind !== "item") return true;
    select(items.indexOf(row.item));
    return choose();
  }

  /** The row of the selected item stays in sight, and the name of its group with the first item. */
  function scroll(count: number): void {
    const { rows, places } = list.shown();
    const at = places[list.at()] ?? 0;
    const upper = rows[at - 1]?.kind === "group" ? at - 1 : at;
    if (upper < top || count < 2) top = count < 2 ? at : upper;
    else if (at >= top + count) top = at - count + 1;
    top = Math.max(0, Math.min(top, rows.length - count));
  }

  function draw(width: number, height: number): readonly string[] {
    const shown = list.shown();
    const rowsMax = list.rowsMax();
    const gap = height >= airyHeightMin ? [""] : [];
    const room = Math.max(1, height - 2 - 2 * gap.length);
    // As high as the whole list, so that the frame does not move while one types.
    const count = Math.max(1, Math.min(room, rowsMax));
    rowsPlace = { y: 1 + gap.length, count };
    scroll(count);
    const look = { width, theme: props.theme() };
    const emptyText = rowsMax === 0 ? props.emptyText : listTexts.noMatches;
    const rows =
      shown.rows.length === 0
        ? emptyLines(emptyText, look).slice(0, room)
        : shown.rows.slice(top, top + count).map((row) => rowLine(row, list.selected(), look));
    const blank = Array.from({ length: count - rows.length }, () => "");
    const hints = [listTexts.select, listTexts.choose, ...(props.hint === undefined ? [] : [rowText(props.hint)])];
    const found = countText(shown.items.length, props.items().length, { typed: filter.text(), width });
    const hint = hintLine(hints, width, look.theme);
    return [filterLine(filter, found, look), ...gap, ...rows, ...blank, ...gap, hint].slice(0, height);
  }

  return {
    title: props.title,
    widthWished: props.widthWished ?? widthUsual,
    render(width, height) {
      refresh();
      return cached([width, height, list.items(), props.theme(), changes + list.changes()], () => draw(width, height));
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
