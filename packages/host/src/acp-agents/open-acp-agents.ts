/** Agents of others that speak the Agent Client Protocol, as agents of this place of work. */
import {
  type AcpModels,
  acpProvider,
  acpToolNames,
  acpToolSource,
  createAcpModels,
  type PendingRequests,
} from "@kedge/agents/acp-workers";
import type { JsonObject, SessionProfile } from "@kedge/protocol";
import type { AcpAgentSettings } from "./acp-settings.ts";
import { type AcpPlace, startAcpAgent } from "./start-acp-agent.ts";

export type OpenedAcpAgents = AcpModels & {
  /** Definitions of agents by name. */
  readonly definitions: JsonObject;
  /** What the session of such an agent has: nothing but what its requests need. Others keep theirs. */
  readonly profileFor: (model: string, profile: SessionProfile) => SessionProfile;
};

const turnsMax = 200;

export function openAcpAgents(
  settings: AcpAgentSettings,
  place: AcpPlace & { readonly kedgeVersion: string; readonly readCommands: () => Promise<void> },
): OpenedAcpAgents {
  const pending: PendingRequests = new Map();
  const models = createAcpModels({
    ...{ cwd: place.cwd, kedgeVersion: place.kedgeVersion, pending },
    names: () => Object.keys(settings),
    start(name) {
      const setting = settings[name];
      return setting === undefined
        ? Promise.resolve({ problem: "it is not configured" })
        : startAcpAgent(setting, place);
    },
  });
  return {
    ...models,
    definitions: Object.fromEntries(
      Object.entries(settings).map(([name, { description }]) => [
        name,
        { description, prompt: "", model: `${acpProvider}/${name}`, max_turns: turnsMax },
      ]),
    ),
    profileFor(model, profile) {
      if (!model.startsWith(`${acpProvider}/`)) return profile;
      const toolNames = Object.values(acpToolNames);
      return { ...profile, toolSources: [acpToolSource(pending, place.readCommands)], toolNames, contextSources: [] };
    },
  };
}
