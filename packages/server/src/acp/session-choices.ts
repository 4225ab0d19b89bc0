/** What a person can choose for a session in the editor: mode, model, and how much the model shall think. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Client, type Effort, efforts, type PermissionMode } from "@kedge/protocol";

export type Chosen = {
  readonly mode: PermissionMode;
  readonly model: string;
  /** Absent: left to the settings and the model. */
  readonly effort?: Effort | undefined;
};

const modeNames: { readonly [mode in PermissionMode]: { readonly name: string; readonly description: string } } = {
  default: { name: "Ask", description: "Asks before it changes files or runs commands." },
  "accept-edits": { name: "Accept edits", description: "Changes files of the project without asking." },
  plan: { name: "Plan", description: "Looks and plans, and changes nothing." },
  auto: { name: "Auto", description: "A second model answers what a person would be asked." },
  bypass: { name: "Bypass", description: "Asks nothing that no rule forbids." },
};

export function modeState(mode: PermissionMode, modes: readonly PermissionMode[]): SessionModeState {
  const available = modes.includes(mode) ? modes : [...modes, mode];
  return { currentModeId: mode, availableModes: available.map((id) => ({ id, ...modeNames[id] })) };
}

/** The names of the options on the wire. */
export const configIds = { mode: "mode", model: "model", effort: "effort" } as const;

/** Leaves the choice to the settings and the model. */
export const effortUnset = "default";

/** Editors that know these ignore the modes beside them, so the mode is among them. */
export async function configOptions(
  { mode, model, effort }: Chosen,
  { client, modes }: { readonly client: Pick<Client, "ask">; readonly modes: readonly PermissionMode[] },
): Promise<SessionConfigOption[]> {
  const { availableModes } = modeState(mode, modes);
  const byProvider = await modelGroups(client, model);
  return [
    {
      id: configIds.mode,
      name: "Mode",
      category: "mode",
      type: "select",
      currentValue: mode,
      options: availableModes.map(({ id, name, description }) => ({
        value: id,
        name,
        description: description ?? null,
      })),
    },
    { id: configIds.model, name: "Model", category: "model", type: "select", currentValue: model, options: byProvider },
    {
      id: configIds.effort,
      name: "Thinking",
      category: "thought_level",
      type: "select",
      currentValue: effort ?? effortUnset,
      options: [effortUnset, ...efforts].map((value) => ({ value, name: value })),
    },
  ];
}

/** Those whose provider has a key, and in any case the one in use. */
async function modelGroups(client: Pick<Client, "ask">, current: string) {
  const listed = await client.ask<"provider.list">({ type: "provider.list" });
  const usable = listed.ok ? listed.value.providers.filter(({ hasKey, models }) => hasKey && models.length > 0) : [];
  const groups = usable.map(({ providerId, name, models }) => ({
    group: providerId,
    name,
    options: models.map((model) => ({ value: model.model, name: model.name })),
  }));
  if (groups.some(({ options }) => options.some(({ value }) => value === current))) return groups;
  return [{ group: "current", name: "In use", options: [{ value: current, name: current }] }, ...groups];
}
