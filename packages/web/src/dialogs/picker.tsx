/** A list to choose from: narrowed by typing, walked by arrows, chosen by Enter or a click. */
import { rank } from "@kedge/tui/session";
import { useEffect, useRef, useState } from "preact/hooks";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";

export type PickerItem = {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly right?: string | undefined;
  readonly group?: string | undefined;
  readonly depth?: number | undefined;
};

export type PickerProps = {
  readonly title: string;
  /** Undefined while they are asked for. */
  readonly items: readonly PickerItem[] | undefined;
  readonly problem?: string | undefined;
  readonly emptyText: string;
  readonly query?: string | undefined;
  readonly selected?: string | undefined;
  readonly onChoose: (value: string) => void;
  readonly onClose: () => void;
};

export function Picker(props: PickerProps) {
  const { title, items, problem, emptyText, onChoose, onClose } = props;
  const [text, setText] = useState(props.query ?? "");
  const [at, setAt] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const shown = narrowed(items ?? [], text);
  const usual =
    text === ""
      ? Math.max(
          0,
          shown.findIndex(({ value }) => value === props.selected),
        )
      : 0;
  const here = Math.min(at ?? usual, Math.max(0, shown.length - 1));
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [here, shown.length],
  );

  function onKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const chosen = shown[here];
    if (step !== 0 && shown.length > 0) setAt((here + step + shown.length) % shown.length);
    else if (event.key === "Enter" && chosen !== undefined) onChoose(chosen.value);
    else return;
    event.preventDefault();
  }

  return (
    <Modal title={title} onClose={onClose}>
      <input
        class="field picker-field"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="picker-list"
        aria-autocomplete="list"
        aria-label={texts.filterOf(title)}
        aria-activedescendant={shown.length > 0 ? `pick-${here}` : undefined}
        placeholder={texts.typeToFilter}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(undefined);
        }}
        onKeyDown={onKey}
      />
      <div id="picker-list" class="picker-list" role="listbox" aria-label={title} ref={list}>
        {shown.map((item, index) => (
          <PickerRow
            key={item.value}
            item={item}
            index={index}
            before={shown[index - 1]}
            isHere={index === here}
            onChoose={onChoose}
          />
        ))}
      </div>
      {shown.length === 0 && <p class="picker-empty">{problem ?? (items === undefined ? texts.loading : emptyText)}</p>}
    </Modal>
  );
}

type RowProps = {
  readonly item: PickerItem;
  readonly index: number;
  readonly before: PickerItem | undefined;
  readonly isHere: boolean;
  readonly onChoose: (value: string) => void;
};

function PickerRow({ item, index, before, isHere, onChoose }: RowProps) {
  const { value, label, detail, right, group, depth = 0 } = item;
  return (
    <>
      {group !== undefined && group !== before?.group && (
        <div class="picker-group" role="presentation">
          {group}
        </div>
      )}
      <div
        id={`pick-${index}`}
        role="option"
        aria-selected={isHere}
        class="picker-row"
        style={{ "--depth": Math.min(depth, 8) }}
        onClick={() => onChoose(value)}
      >
        <span class="picker-label">{label}</span>
        {detail !== undefined && <span class="picker-detail">{detail}</span>}
        {right !== undefined && <span class="picker-right">{right}</span>}
      </div>
    </>
  );
}

function narrowed(items: readonly PickerItem[], text: string): readonly PickerItem[] {
  if (text.trim() === "") return items;
  return rank(
    items.map((item) => ({ label: item.label, keywords: `${item.detail ?? ""} ${item.value}`, item })),
    text.trim(),
  ).map(({ item }) => item);
}
