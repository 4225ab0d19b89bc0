/** Which items of a list are shown under which group, in which order, for what was typed. */
import { fuzzyFilter } from "../../screen/fuzzy.ts";
import type { ForegroundToken } from "../../theme/theme.ts";

export type ListItem<Value> = {
  readonly value: Value;
  /** Clean text of one line, like all texts here. */
  readonly label: string;
  /** Behind the label, paler. */
  readonly detail?: string;
  /** At the right edge, such as a key or a price. */
  readonly right?: string;
  /** Items of a group stand together under its name; the filter keeps groups in their order. */
  readonly group?: string;
  /** Of the label; that of text without it. */
  readonly token?: ForegroundToken;
  /** Found by these words too. */
  readonly keywords?: string;
};

export type ListRow<Value> =
  | { readonly kind: "group"; readonly name: string }
  | { readonly kind: "item"; readonly item: ListItem<Value> };

export type ListRows<Value> = {
  readonly rows: readonly ListRow<Value>[];
  /** The items in the order of their rows. */
  readonly items: readonly ListItem<Value>[];
  /** Per item, the place of its row. */
  readonly places: readonly number[];
  readonly best: ListItem<Value> | undefined;
};

/** Groups in the order of the list, inside of a group the best match first; items without a group stand above all. */
export function listRows<Value>(all: readonly ListItem<Value>[], query: string): ListRows<Value> {
  const found = findItems(all, query);
  const groups = new Map<string | undefined, ListItem<Value>[]>([[undefined, []]]);
  for (const { group } of all) if (!groups.has(group)) groups.set(group, []);
  for (const item of found) groups.get(item.group)?.push(item);
  const rows = [...groups].flatMap(([name, items]): readonly ListRow<Value>[] => {
    const own = items.map((item): ListRow<Value> => ({ kind: "item", item }));
    return name === undefined || own.length === 0 ? own : [{ kind: "group", name }, ...own];
  });
  const places = rows.flatMap(({ kind }, place) => (kind === "item" ? [place] : []));
  return { rows, items: [...groups.values()].flat(), places, best: found[0] };
}

/** Those that hold what was typed as it is; only where none does, its letters in their order are enough. */
function findItems<Value>(all: readonly ListItem<Value>[], query: string): readonly ListItem<Value>[] {
  const wanted = query.trim().toLowerCase();
  const textOf = ({ label, keywords = "" }: ListItem<Value>) => `${label} ${keywords}`;
  if (wanted === "") return all;
  const whole = all.filter((item) => textOf(item).toLowerCase().includes(wanted));
  if (whole.length === 0) return fuzzyFilter([...all], query, textOf);
  const placeOf = (item: ListItem<Value>) => textOf(item).toLowerCase().indexOf(wanted);
  return whole.toSorted((left, right) => placeOf(left) - placeOf(right));
}
