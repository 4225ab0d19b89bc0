/** What the command palette lists: every command and action, and every model, session, mode and theme to go to. */

import type { PermissionMode, QueryAnswers, SessionSummary } from "@kedge/protocol";
import type { ListItem } from "../dialogs/list/list-dialog.ts";
import { cleanLine } from "../screen/clean-text.ts";
import { countText } from "../status/short-figures.ts";
import { paletteTexts } from "../texts/palette.ts";
import type { EngineCommand } from "./parse-command.ts";
import { commandGroups, findCommand, type SlashCommand } from "./slash-command.ts";

export type PaletteValue =
  | { readonly kind: "command"; readonly name: string }
  | { readonly kind: "action"; readonly name: string }
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "session"; readonly sessionId: string }
  | { readonly kind: "mode"; readonly mode: PermissionMode }
  | { readonly kind: "theme"; readonly name: string };

export type PaletteAction = { readonly name: string; readonly summary: string; readonly keys: readonly string[] };

type ListedModel = QueryAnswers["provider.list"]["providers"][number]["models"][number];

export type PaletteParts = {
  readonly commands: readonly SlashCommand[];
  /** Those that the engine answers, also those that users wrote. */
  readonly engineCommands: readonly EngineCommand[];
  readonly actions: readonly PaletteAction[];
  readonly models: readonly ListedModel[];
  readonly sessions: readonly SessionSummary[];
  readonly modes: readonly PermissionMode[];
  readonly themes: readonly string[];
  /** What `paletteId` says of the values that were chosen before, most recent first. */
  readonly recent: readonly string[];
};

type PaletteItem = ListItem<PaletteValue>;

const recentMax = 8;

/** The name under which a choice is remembered; the same after a restart. */
export function paletteId(value: PaletteValue): string {
  switch (value.kind) {
    case "command":
    case "action":
    case "theme":
      return `${value.kind}:${value.name}`;
    case "model":
      return `model:${value.model}`;
    case "session":
      return `session:${value.sessionId}`;
    case "mode":
      return `mode:${value.mode}`;
  }
}

/** What was chosen last stands first, in a group of its own; nothing stands twice. */
export function paletteItems(parts: PaletteParts): readonly PaletteItem[] {
  const all = [
    ...commandItems(parts),
    ...engineItems(parts),
    ...actionItems(parts),
    ...parts.models.map(modelItem),
    ...parts.sessions.map(sessionItem),
    ...parts.modes.map(modeItem),
    ...parts.themes.map(themeItem),
  ];
  const byId = new Map(all.map((item) => [paletteId(item.value), item]));
  const recent = [...new Set(parts.recent)].flatMap((id) => byId.get(id) ?? []).slice(0, recentMax);
  const isRecent = new Set(recent);
  return [
    ...recent.map((item) => ({ ...item, group: paletteTexts.recent })),
    ...all.filter((item) => !isRecent.has(item)),
  ];
}

function commandItems({ commands, actions }: PaletteParts): readonly PaletteItem[] {
  const keysOf = new Map(actions.map(({ name, keys }) => [name, keys]));
  return commandGroups.flatMap((group) =>
    commands
      .filter((command) => command.group === group)
      .map(({ name, aliases, summary, action }) => ({
        value: { kind: "command", name } as const,
        label: `/${name}`,
        detail: summary,
        ...keysText(action === undefined ? [] : (keysOf.get(action) ?? [])),
        group,
        keywords: [...aliases, summary].join(" "),
      })),
  );
}

function engineItems({ commands, engineCommands }: PaletteParts): readonly PaletteItem[] {
  return engineCommands
    .filter(({ name }) => findCommand(commands, name) === undefined)
    .map(({ name, summary }) => ({
      value: { kind: "command", name },
      label: `/${cleanLine(name)}`,
      detail: cleanLine(summary),
      group: paletteTexts.engineCommands,
      keywords: cleanLine(summary),
    }));
}

/** Those that no command does. */
function actionItems({ commands, actions }: PaletteParts): readonly PaletteItem[] {
  const covered = new Set<string>(commands.flatMap(({ action }) => action ?? []));
  return actions
    .filter(({ name }) => !covered.has(name))
    .map(({ name, summary, keys }) => ({
      value: { kind: "action", name } as const,
      label: summary,
      ...keysText(keys),
      group: paletteTexts.actions,
      keywords: name.replaceAll("_", " "),
    }));
}

function keysText(keys: readonly string[]): { readonly right?: string } {
  const [first] = keys;
  return first === undefined ? {} : { right: first };
}

function modelItem({ model, name, contextTokens }: ListedModel): PaletteItem {
  return {
    value: { kind: "model", model },
    label: cleanLine(model),
    detail: cleanLine(name),
    ...(contextTokens !== undefined && { right: countText(contextTokens) }),
    group: paletteTexts.models,
    keywords: paletteTexts.modelWords(cleanLine(name)),
  };
}

function sessionItem({ sessionId, title, model }: SessionSummary): PaletteItem {
  const label = cleanLine(title);
  return {
    value: { kind: "session", sessionId },
    label: label === "" ? sessionId : label,
    detail: cleanLine(model),
    group: paletteTexts.sessions,
    keywords: paletteTexts.sessionWords(sessionId),
  };
}

function modeItem(mode: PermissionMode): PaletteItem {
  return { value: { kind: "mode", mode }, label: mode, group: paletteTexts.modes, keywords: paletteTexts.modeWords };
}

function themeItem(name: string): PaletteItem {
  return {
    value: { kind: "theme", name },
    label: cleanLine(name),
    group: paletteTexts.themes,
    keywords: paletteTexts.themeWords,
  };
}
