/** All agents of a place of work: who wins on an equal name, and which of them a model may start. */
import { nearNames } from "@kedge/protocol";
import type { AgentDefinition } from "./agent-definition.ts";
import { builtInAgents, protectedAgents } from "./built-in-agents.ts";

export type HiddenAgent = { readonly definition: AgentDefinition; readonly why: string };

export type RefusedAgent = {
  readonly file: string;
  /** Absent where the whole file is meant. */
  readonly line?: number;
  readonly why: string;
  readonly remedy: string;
};

export interface AgentTable {
  /** One per name, sorted by name. */
  readonly used: readonly AgentDefinition[];
  /** Those whose name another one has. */
  readonly shadowed: readonly HiddenAgent[];
  /** Files that could not be read. */
  readonly refused: readonly RefusedAgent[];
  find(name: string): AgentDefinition | undefined;
  /** Those that a session may start. */
  startable(): readonly AgentDefinition[];
  /** A sentence for a name that nobody has. */
  unknown(name: string): string;
}

/** `found` is in the order of strength: the first of a name wins. */
export function createAgentTable(found: readonly AgentDefinition[], refused: readonly RefusedAgent[] = []): AgentTable {
  const byName = new Map<string, AgentDefinition>();
  const shadowed: HiddenAgent[] = [];
  const ownOf = (name: string) => builtInAgents.find((own) => own.name === name);
  for (const definition of [...found, ...builtInAgents]) {
    const { name, tier } = definition;
    const winner = byName.get(name);
    if (tier !== "built-in" && protectedAgents.has(name)) {
      shadowed.push({ definition, why: `${name} is an agent of kedge that cannot be replaced` });
    } else if (winner !== undefined) {
      shadowed.push({ definition, why: `the ${winner.tier} definition has the same name` });
    } else {
      const own = tier === "built-in" ? undefined : ownOf(name);
      byName.set(name, own === undefined ? definition : withinOwn(definition, own));
    }
  }
  const used = [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  const startable = used.filter(({ isHidden, mode }) => !isHidden && mode !== "primary");
  const find = (name: string) =>
    byName.get(name) ?? used.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return {
    used,
    shadowed,
    refused,
    find,
    startable: () => startable,
    unknown(name) {
      const names = startable.map((each) => each.name);
      const near = nearNames(name, names, { countMax: 1 })[0];
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      return `There is no agent ${JSON.stringify(name.slice(0, 64))}.${hint} Available: ${names.join(", ")}.`;
    },
  };
}

/** What takes the place of an agent of kedge never has wider rights than that. */
function withinOwn(definition: AgentDefinition, own: AgentDefinition): AgentDefinition {
  const wished = definition.tools ?? own.tools;
  const tools = own.tools === undefined ? wished : wished?.filter((name) => own.tools?.includes(name));
  return {
    ...definition,
    ...(tools !== undefined && { tools }),
    disallowedTools: [...new Set([...definition.disallowedTools, ...own.disallowedTools])],
    isReadOnly: definition.isReadOnly || own.isReadOnly,
    ...(own.starts !== undefined && { starts: own.starts }),
  };
}
