/** What the user chose before: models, favourites, and entries of the palette, most recent first. */
import { isJsonObject } from "@kedge/protocol";
import type { TuiFiles } from "../tui-parts.ts";

export type ChoiceKind = "models" | "favourites" | "palette";

export interface Choices {
  /** The same array until something changes. */
  of(kind: ChoiceKind): readonly string[];
  /** Puts it first. */
  take(kind: ChoiceKind, choice: string): void;
  toggle(kind: ChoiceKind, choice: string): void;
}

const choicesMax = 12;

export function createChoices(files: Pick<TuiFiles, "readChoices" | "saveChoices">): Choices {
  let known: { readonly [Kind in ChoiceKind]: readonly string[] } | undefined;

  function all() {
    known ??= readChoices(files.readChoices());
    return known;
  }

  function put(kind: ChoiceKind, choices: readonly string[]): void {
    known = { ...all(), [kind]: choices.slice(0, choicesMax) };
    files.saveChoices(JSON.stringify(known));
  }

  return {
    of: (kind) => all()[kind],
    take: (kind, choice) => put(kind, [choice, ...all()[kind].filter((each) => each !== choice)]),
    toggle(kind, choice) {
      const before = all()[kind];
      const isKnown = before.includes(choice);
      put(kind, isKnown ? before.filter((each) => each !== choice) : [choice, ...before]);
    },
  };
}

function readChoices(text: string | undefined) {
  const value = parsed(text);
  const listOf = (kind: ChoiceKind) => {
    const list: unknown = isJsonObject(value) ? value[kind] : undefined;
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  };
  return { models: listOf("models"), favourites: listOf("favourites"), palette: listOf("palette") };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    // Nothing but comfort is lost with it.
    return {};
  }
}
