/** A list that is filtered by typing and chosen from by keys: what most dialogs are. */
import type { Key } from "../screen/input.ts";
import type { Dialog } from "../screen/view.ts";
import type { Theme } from "../theme/theme.ts";

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
  /** Found by these words too. */
  readonly keywords?: string;
};

export type ListDialogProps<Value> = {
  readonly title: string;
  /** Asked at every drawing, so that lists are live; the same array as long as nothing changed. */
  readonly items: () => readonly ListItem<Value>[];
  readonly theme: () => Theme;
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
};

export type CreateListDialog = <Value>(props: ListDialogProps<Value>) => Dialog;
