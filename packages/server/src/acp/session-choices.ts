/** What a person can choose for a session in the editor: mode, model, and how much the model shall think. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Client, type Effort, efforts, type Fact, type PermissionMode, type RunOptions } from "@kedge/protocol";
import { failureError, requestError } from "./request-error.ts";

export type SessionChoicesParts = {
  readonly sessionId: string;
  readonly client: Pick<Client, "ask" | "send">;
  /** Those that are offered. */
  readonly modes: readonly PermissionMode[];
  readonly mode: PermissionMode;
  readonly model: string;
};

interface SessionChoices {
  modeState(): SessionModeState;
  /** Editors that know these ignore the modes beside them, so the mode is among them. */
  options(): Promise<SessionConfigOption[]>;
  /** As they are given, with the effort that was chosen. */
  runOptions(given: RunOptions): RunOptions;
  changeMode(modeId: string): Promise<void>;
  change(configId: string, value: string): Promise<void>;
  /** True when the fact changed a choice. */
  observe(fact: Fact): boolean;
}

const modeNames: { readonly [mode in PermissionMode]: { readonly name: string; readonly description: string } } = {
  default: { name: "Ask", description: "Ask before edits and commands." },
  "accept-edits": { name: "Accept edits", description: "Edit project files without asking." },
  plan: { name: "Plan", description: "Read-only; plan first." },
  auto: { name: "Auto", description: "A second model approves safe actions." },
  bypass: { name: "Bypass", description: "Ask for nothing; deny rules still apply." },
};

/** The names of the options on the wire. */
const configIds = { mode: "mode", model: "model", effort: "effort" } as const;

/** Leaves the choice to the settings and the model. */
const effortUnset = "default";

export function createSessionChoices({ sessionId, client, modes, ...chosen }: SessionChoicesParts): SessionChoices {
  let { mode, model } = chosen;
  let effort: Effort | undefined;

  function modeState(): SessionModeState {
    const available = modes.includes(mode) ? modes : [...modes, mode];
    return { currentModeId: mode, availableModes: available.map((id) => ({ id, ...modeNames[id] })) };
  }

  async function changeMode(modeId: string): Promise<void> {
    const wanted = modes.find((each) => each === modeId);
    if (wanted === undefined) {
      throw requestError("invalidParams", `Mode ${modeId} is not available. Choose one of ${modes.join(", ")}.`);
    }
    const changed = await client.send<"mode.change">({ type: "mode.change", sessionId, mode: wanted });
    if (!changed.ok) throw failureError(changed.failure);
    mode = wanted;
  }

  async function changeModel(ref: string): Promise<void> {
    const changed = await client.send<"model.change">({ type: "model.change", sessionId, model: ref });
    if (!changed.ok) throw failureError(changed.failure);
    model = changed.value.model;
  }

  function changeEffort(value: string): void {
    const wanted = efforts.find((each) => each === value);
    if (wanted === undefined && value !== effortUnset) {
      throw requestError("invalidParams", `Reasoning effort must be one of ${[effortUnset, ...efforts].join(", ")}.`);
    }
    effort = wanted;
  }

  return {
    ...{ modeState, changeMode },
    runOptions: (given) => (effort === undefined ? given : { ...given, reasoning: { ...given.reasoning, effort } }),
    async change(configId, value) {
      if (configId === configIds.mode) await changeMode(value);
      else if (configId === configIds.model) await changeModel(value);
      else if (configId === configIds.effort) changeEffort(value);
      else throw requestError("invalidParams", `Unknown option ${configId}.`);
    },
    observe(fact) {
      if (fact.type === "mode.changed") mode = fact.mode;
      else if (fact.type === "model.changed") model = fact.model;
      else return false;
      return true;
    },
    async options() {
      const { availableModes } = modeState();
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
        {
          id: configIds.model,
          name: "Model",
          category: "model",
          type: "select",
          currentValue: model,
          options: byProvider,
        },
        {
          id: configIds.effort,
          name: "Thinking",
          category: "thought_level",
          type: "select",
          currentValue: effort ?? effortUnset,
          options: [effortUnset, ...efforts].map((value) => ({ value, name: value })),
        },
      ];
    },
  };
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
