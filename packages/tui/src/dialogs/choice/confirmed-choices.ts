/** Choices of which some answer for long: their letters only select them, and Enter gives the answer. */

import { type Input, type Key, keyName } from "../../screen/input.ts";
import type { Dialog } from "../../screen/view.ts";
import { permissionTexts } from "../../texts/permission-questions.ts";
import { type ChoiceDialogProps, createChoiceDialog } from "./choice-dialog.ts";

export type ConfirmedChoicesProps<Value> = ChoiceDialogProps<Value> & {
  /** A letter that was meant for something else must not give one of these. */
  readonly confirmed: readonly Value[];
};

const confirming = permissionTexts.confirm;

export function createConfirmedChoices<Value>({ confirmed, ...props }: ConfirmedChoicesProps<Value>): Dialog {
  const isConfirmed = (value: Value) => confirmed.includes(value);
  const choices = props.choices.map((choice) =>
    isConfirmed(choice.value) ? { ...choice, about: choice.about ?? confirming } : choice,
  );
  let take = props.onChoose;
  const dialog = createChoiceDialog<Value>({ ...props, choices, onChoose: (value) => take(value) });

  /** The dialog tells which one is selected only by giving it, so it is asked with nobody listening. */
  function selected(): Value | undefined {
    let given: Value | undefined;
    take = (value) => {
      given = value;
    };
    dialog.handle(pressed("enter"));
    take = props.onChoose;
    return given;
  }

  function select(wanted: Value): void {
    for (let moves = 0; moves < choices.length && selected() !== wanted; moves += 1) dialog.handle(pressed("down"));
  }

  return {
    ...dialog,
    handle(input) {
      const letter = input.kind === "key" ? letterOf(input.key) : undefined;
      const choice = choices.find(({ key, value }) => key === letter && isConfirmed(value));
      if (choice === undefined) return dialog.handle(input);
      select(choice.value);
      return true;
    },
  };
}

function letterOf(key: Key): string | undefined {
  return keyName({ ...key, shift: false }) === key.name ? key.name : undefined;
}

function pressed(name: "enter" | "down"): Input {
  return { kind: "key", key: { name, ctrl: false, alt: false, shift: false, meta: false } };
}
