/** Chooses how much is asked: the permission modes with what each one means, and the two agents that Tab goes between. */

import type { PermissionMode } from "@kedge/protocol";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { modeTexts } from "../../texts/permission-questions.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker } from "../list/picker-dialog.ts";
import { modeMeanings, offeredModes } from "./mode-meanings.ts";

export type ModeDialogProps = {
  readonly current: () => PermissionMode;
  readonly theme: () => Theme;
  /** Closes nothing: whoever opened the dialog closes it. */
  readonly onChoose: (mode: PermissionMode) => void;
};

type Value = { readonly kind: "mode" | "agent"; readonly mode: PermissionMode };

/** In the order in which Tab goes. */
const agents: readonly { readonly name: string; readonly mode: PermissionMode; readonly about: string }[] = [
  { name: "build", mode: "default", about: modeTexts.buildAgent },
  { name: "plan", mode: "plan", about: modeTexts.planAgent },
];

const currentText = modeTexts.current;

export function createModeDialog({ current, theme, onChoose }: ModeDialogProps): Dialog {
  const remembered = createRemembered<readonly ListItem<Value>[]>();
  return createPicker<Value>({
    title: modeTexts.title,
    theme,
    items: () => remembered([current()], () => [...modeItems(current()), ...agentItems(current())]),
    loadingText: "",
    emptyText: "",
    onChoose: ({ mode }) => onChoose(mode),
    toneOf: (right): ForegroundToken | undefined => (right === currentText ? "accent" : undefined),
    sameAs: (left, right) => left.kind === right.kind && left.mode === right.mode,
    selected: { kind: "mode", mode: current() },
  }).dialog;
}

function modeItems(current: PermissionMode): readonly ListItem<Value>[] {
  return offeredModes(current).map((mode) => ({
    value: { kind: "mode", mode },
    label: mode,
    detail: modeMeanings[mode],
    group: modeTexts.modes,
    keywords: modeMeanings[mode],
    ...(mode === current && { right: currentText }),
  }));
}

function agentItems(current: PermissionMode): readonly ListItem<Value>[] {
  return agents.map(({ name, mode, about }) => ({
    value: { kind: "agent", mode },
    label: name,
    detail: about,
    group: modeTexts.agents,
    keywords: about,
    ...((current === "plan") === (mode === "plan") && { right: currentText }),
  }));
}
