/** The profile of a fork: its parent's, with the same tools and the same rules, and nobody to ask. */
import type { RequestPrefix, SessionProfile } from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";

/** What a fork is called where an agent has the name of its definition. No definition has it. */
export const forkName = "fork";

/** Turn limit and effort are those of the definition; everything that would change a request is not. */
export function forkOf({ outputSchema: _, effort: __, model: ___, ...definition }: AgentDefinition): AgentDefinition {
  return { ...definition, name: forkName };
}

/**
 * Its requests begin with the bytes of its parent's, so it has every tool of it. What it may not do, such as starting
 * agents, is refused when it is tried.
 */
export function forkProfile(
  { saveRules: _, budget: __, contextSources: ___, ...parent }: SessionProfile,
  prefix: RequestPrefix,
  { depth }: { readonly depth: number },
): SessionProfile {
  return {
    ...parent,
    prefix,
    contextSources: [],
    agent: { name: forkName, depth },
    awaitsAgents: true,
  };
}
