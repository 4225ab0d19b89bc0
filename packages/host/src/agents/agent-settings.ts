/** The settings of agents: how many, how deep, how long, and definitions beside those in files. */
import { type AgentSettings, agentSettingsDefault as defaults } from "@kedge/agents/settings";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { flag, number, object, record, said, satisfies } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type ConfiguredAgents = AgentSettings & {
  readonly isEnabled: boolean;
  /** New sessions are coordinators. */
  readonly coordinator: boolean;
  readonly definitions: JsonObject;
};

const definition = satisfies("an object with description and prompt", { type: "object" }, isJsonObject);

export const agentSettings: SettingDeclarations = {
  agents: {
    check: object({
      enabled: said("Let sessions start agents.", flag, true),
      coordinator: said("Make new sessions coordinate agents instead of working themselves.", flag, false),
      maxParallel: said(
        "Maximum number of agents per session that run at once.",
        number({ min: 1, max: 50 }),
        defaults.maxParallel,
      ),
      maxDepth: said("Maximum nesting depth of agents.", number({ min: 1, max: 3 }), defaults.maxDepth),
      idleTtlMs: said(
        "Milliseconds after which a finished named agent is removed from memory; its record is kept.",
        number({ min: 0, max: 86_400_000 }),
        defaults.idleTtlMs,
      ),
      maxRuntimeMs: said(
        "Milliseconds after which an agent is stopped; 0 for no limit.",
        number({ min: 0, max: 86_400_000 }),
        defaults.maxRuntimeMs,
      ),
      softRequestBudget: said(
        "Turns after which an agent is asked to finish; 0 for never.",
        number({ min: 0, max: 10_000 }),
        defaults.softRequestBudget,
      ),
      confirmUsd: said(
        "Ask before more than three agents start if the estimate is above this amount.",
        number({ min: 0, max: 1_000_000 }),
        defaults.confirmUsd,
      ),
      definitions: said("Agents by name, with the fields of an agent file and `prompt`.", record(definition)),
    }),
    project: ignored("agents of a project are files in .kedge/agents"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readAgentSettings(value: unknown): ConfiguredAgents {
  const given = isJsonObject(value) ? (value as JsonObject) : {};
  const numberOf = (name: keyof AgentSettings) => (typeof given[name] === "number" ? given[name] : defaults[name]);
  const { definitions } = given;
  return {
    isEnabled: given["enabled"] !== false,
    coordinator: given["coordinator"] === true,
    maxParallel: numberOf("maxParallel"),
    maxDepth: numberOf("maxDepth"),
    idleTtlMs: numberOf("idleTtlMs"),
    maxRuntimeMs: numberOf("maxRuntimeMs"),
    softRequestBudget: numberOf("softRequestBudget"),
    confirmUsd: numberOf("confirmUsd"),
    definitions: isJsonObject(definitions) ? (definitions as JsonObject) : {},
  };
}
