/** Which item of a live list is selected, whatever is typed and however the list changes meanwhile. */
import { type ListItem, type ListRows, listRows } from "./list-rows.ts";

export type SelectionParts<Value> = {
  readonly items: () => readonly ListItem<Value>[];
  readonly onSelect?: (value: Value) => void;
  readonly selected?: Value;
  readonly sameAs?: (left: Value, right: Value) => boolean;
};

export interface ListSelection<Value> {
  /** Looks at the items again, with what is typed now. */
  refresh(query: string): void;
  /** As near to this place as there are items. */
  select(at: number): void;
  shown(): ListRows<Value>;
  /** The items that were looked at last. */
  items(): readonly ListItem<Value>[] | undefined;
  selected(): ListItem<Value> | undefined;
  at(): number;
  /** Of the whole list, whatever was typed. */
  rowsMax(): number;
  /** Counts whatever may look different. */
  changes(): number;
}

export function createListSelection<Value>(parts: SelectionParts<Value>): ListSelection<Value> {
  const { onSelect, sameAs = Object.is } = parts;
  let shown: ListRows<Value> = { rows: [], items: [], places: [], best: undefined };
  let seen: { readonly items: readonly ListItem<Value>[]; readonly query: string } | undefined;
  let selected: { readonly value: Value } | undefined =
    parts.selected === undefined ? undefined : { value: parts.selected };
  let rowsMax = 0;
  let selectedAt = 0;
  let changes = 0;

  function select(at: number): void {
    selectedAt = Math.max(0, Math.min(shown.items.length - 1, at));
    const item = shown.items[selectedAt];
    const before = selected;
    changes += 1;
    if (item === undefined) return;
    selected = { value: item.value };
    if (before !== undefined && !sameAs(before.value, item.value)) onSelect?.(item.value);
  }

  return {
    refresh(query) {
      const items = parts.items();
      if (seen?.items === items && seen.query === query) return;
      const isTyped = seen !== undefined && seen.query !== query;
      const isOther = seen?.items !== items;
      seen = { items, query };
      shown = listRows(items, query);
      if (isOther) rowsMax = query === "" ? shown.rows.length : listRows(items, "").rows.length;
      const wanted = isTyped && query !== "" ? shown.best : undefined;
      const kept = selected;
      const at = shown.items.findIndex(
        wanted === undefined
          ? ({ value }) => kept !== undefined && sameAs(value, kept.value)
          : (item) => item === wanted,
      );
      // What was selected is gone: what stands at its place now is nearest to it.
      select(at < 0 ? selectedAt : at);
    },
    select,
    shown: () => shown,
    items: () => seen?.items,
    selected: () => shown.items[selectedAt],
    at: () => selectedAt,
    rowsMax: () => rowsMax,
    changes: () => changes,
  };
}
