/** A list of live things with keys of its own: what every picker is made of, with its questions inside of it. */

import { type Key, keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { listTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { flowText, hintLine } from "../text/dialog-text.ts";
import { createListDialog, type ListItem } from "./list-dialog.ts";

export type PickerKey<Value> = {
  /** As `keyName` says it. Letters alone are for the filter, so keys have ctrl with them. */
  readonly key: string;
  readonly label: string;
  readonly press: (value: Value) => void;
};

export type PickerProps<Value> = {
  readonly title: string;
  readonly widthWished?: number;
  readonly theme: () => Theme;
  /** Undefined while they are not known yet; the same array as long as nothing changed. */
  readonly items: () => readonly ListItem<Value>[] | undefined;
  /** Why they will not be known, or are no longer true; asked at every drawing. */
  readonly problem?: (() => string | undefined) | undefined;
  readonly loadingText: string;
  readonly emptyText: string;
  readonly onChoose: (value: Value) => void;
  readonly onSelect?: (value: Value) => void;
  readonly keys?: readonly PickerKey<Value>[];
  /** The colour of what stands at the right edge. */
  readonly toneOf?: (right: string) => ForegroundToken | undefined;
  /** Lines over the list and under it, for what is not chosen from; few. */
  readonly above?: (page: PickerPage) => readonly string[];
  readonly below?: (page: PickerPage) => readonly string[];
  /** What the selected one is, between the list and its keys. */
  readonly preview?: (page: PickerPage) => readonly string[];
  readonly onClosed?: () => void;
  readonly selected?: Value;
  readonly sameAs?: (left: Value, right: Value) => boolean;
  /** What is typed already. */
  readonly query?: string | undefined;
};

export type PickerPage = { readonly width: number; readonly height: number; readonly theme: Theme };

export interface Picker {
  readonly dialog: Dialog;
  /** Puts a question in the place of the list, until it is left. */
  ask(question: Dialog): void;
  backToList(): void;
}

type Around = {
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly preview: readonly string[];
};

const widthUsual = 80;
/** So much of the list stays in sight whatever stands around it. */
const listHeightMin = 4;
/** What the list says of itself. */
const listHints: readonly string[] = [listTexts.select, listTexts.choose];

export function createPicker<Value>(props: PickerProps<Value>): Picker {
  const { theme, toneOf, widthWished = widthUsual, keys = [], onSelect, onClosed, selected, sameAs } = props;
  const listTheme = createRemembered<Theme>();
  const remembered = createRemembered<readonly ListItem<Value>[]>();
  const cached = createRemembered<readonly string[]>();
  let question: Dialog | undefined;
  let linesAbove = 0;
  let changes = 0;
  /** The keys that have room behind those of the list. */
  let hint = "";

  const list = createListDialog<Value>({
    title: props.title,
    theme: () => listTheme([theme()], () => (toneOf === undefined ? theme() : withTones(theme(), toneOf))),
    items() {
      const items = props.items();
      // The sentence is part of it, since the list draws again for other items only.
      return remembered([items, props.problem?.()], () => items?.slice() ?? []);
    },
    get emptyText() {
      if (props.items() !== undefined) return props.emptyText;
      return props.problem?.() ?? props.loadingText;
    },
    get hint() {
      return hint;
    },
    onChoose: props.onChoose,
    onKey: pressed,
    widthWished,
    ...(onSelect !== undefined && { onSelect }),
    ...(selected !== undefined && { selected }),
    ...(sameAs !== undefined && { sameAs }),
  });
  if (props.query !== undefined && props.query !== "") list.handle({ kind: "paste", text: props.query });

  function pressed(key: Key, value: Value | undefined): boolean {
    const found = keys.find((each) => each.key === keyName(key));
    if (found === undefined) return false;
    if (value !== undefined) found.press(value);
    return true;
  }

  function draw({ above, below: inner, preview }: Around, page: PickerPage): readonly string[] {
    const { width, height } = page;
    const hints = [...keys.map(({ key, label }) => `${key} ${label}`), listTexts.close];
    const [first = [], ...others] = hintRows([...listHints, ...hints], page);
    const beside = first.slice(listHints.length);
    hint = beside.join(` ${page.theme.symbols.separator} `);
    const below = [...others.map((row) => hintLine(row, width, page.theme)), ...inner, ...problemLines(page)];
    const room = height - listHeightMin;
    const shownPreview = preview.slice(0, Math.max(0, room - below.length));
    const shownAbove = above.length <= room - below.length - shownPreview.length ? above : [];
    const shownBelow = room <= 0 ? [] : below.slice(-room);
    linesAbove = shownAbove.length;
    const around = shownAbove.length + shownPreview.length + shownBelow.length;
    const rows = list.render(width, Math.max(1, height - around));
    return [...shownAbove, ...beforeKeys(rows, shownPreview), ...shownBelow].slice(0, height);
  }

  function problemLines({ width, theme: colours }: PickerPage): readonly string[] {
    const problem = props.items() === undefined ? undefined : props.problem?.();
    return problem === undefined ? [] : flowText(problem, width).map((line) => colours.fg("error", line));
  }

  return {
    ask(next) {
      question = next;
    },
    backToList() {
      question = undefined;
    },
    dialog: {
      get title() {
        return (question ?? list).title;
      },
      widthWished,
      render(width, height) {
        if (question !== undefined) return question.render(width, height);
        const page = { width, height, theme: theme() };
        const above = props.above?.(page) ?? [];
        const below = props.below?.(page) ?? [];
        const preview = props.preview?.(page) ?? [];
        const parts = [
          ...above,
          null,
          ...below,
          null,
          ...preview,
          width,
          height,
          page.theme,
          props.items(),
          props.problem?.(),
          changes,
        ];
        return cached(parts, () => draw({ above, below, preview }, page));
      },
      handle(input) {
        changes += 1;
        if (question !== undefined) return question.handle(input);
        if (input.kind !== "mouse") return list.handle(input);
        return list.handle({ kind: "mouse", mouse: { ...input.mouse, y: input.mouse.y - linesAbove } });
      },
      closed() {
        question?.closed?.();
        onClosed?.();
      },
    },
  };
}

/** The last line of the list is its keys, with a blank one before them where there is room. */
function beforeKeys(rows: readonly string[], lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return rows;
  const keysAt = rows.at(-2) === "" ? -2 : -1;
  return [...rows.slice(0, keysAt), ...lines, ...rows.slice(keysAt)];
}

/** As many rows as the keys need, since one that is out of sight is not known. The first one begins with those of the list. */
function hintRows(hints: readonly string[], { width, theme }: PickerPage): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const [at, hint] of hints.entries()) {
    const last = rows.at(-1);
    const isFitting = last !== undefined && [...last, hint].join(` ${theme.symbols.separator} `).length <= width;
    if (last !== undefined && (isFitting || at <= listHints.length)) last.push(hint);
    else rows.push([hint]);
  }
  return rows;
}

/** What stands at the right edge is the only dim text of a row. */
function withTones(theme: Theme, toneOf: (right: string) => ForegroundToken | undefined): Theme {
  return { ...theme, fg: (token, text) => theme.fg(token === "dim" ? (toneOf(text) ?? token) : token, text) };
}
