/** Agents as people read them: definitions with what is wrong with them, and those that worked for a session. */
import type { AgentDefinition, AgentTable } from "@kedge/agents/definitions";
import { type AgentSummary, isUnknownCost } from "@kedge/protocol";

export type ListedAgent = {
  readonly name: string;
  readonly description: string;
  readonly status: "used" | "shadowed" | "refused";
  readonly mode?: string;
  readonly tier?: string;
  readonly source?: string;
  readonly file?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly maxTurns?: number;
  readonly why?: string;
  readonly notes: readonly string[];
};

/** Hidden agents are for kedge itself. */
export function listAgentDefinitions(
  { used, shadowed, refused }: AgentTable,
  unknownModels: ReadonlyMap<string, string> = new Map(),
): readonly ListedAgent[] {
  return [
    ...used
      .filter(({ isHidden }) => !isHidden)
      .map((definition) => withModelNote(rowOf(definition, "used"), unknownModels.get(definition.name))),
    ...shadowed
      .filter(({ definition }) => !definition.isHidden)
      .map(({ definition, why }) => ({ ...rowOf(definition, "shadowed"), why })),
    ...refused.map(({ file, line, why, remedy }) => ({
      ...{ name: "", description: "", status: "refused" as const, file },
      notes: line === undefined ? [] : [`line ${line}`],
      why: `${why}. ${remedy}`,
    })),
  ];
}

function withModelNote(row: ListedAgent, unknownModel: string | undefined): ListedAgent {
  if (unknownModel === undefined) return row;
  const note = `error: unknown model ${JSON.stringify(unknownModel.slice(0, 64))}; using the session's model`;
  return { ...row, notes: [...row.notes, note] };
}

function rowOf(definition: AgentDefinition, status: "used" | "shadowed"): ListedAgent {
  const { name, description, mode, tier, source, file, model, tools, isReadOnly, maxTurns, notes } = definition;
  return {
    ...{ name, description, status, mode, tier, source, isReadOnly, maxTurns, notes },
    ...(file !== undefined && { file }),
    ...(model !== undefined && { model }),
    ...(tools !== undefined && { tools }),
  };
}

export function definitionsText(rows: readonly ListedAgent[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length), 0);
  return rows
    .flatMap(({ name, description, status, tier, source, file, isReadOnly, why, notes }) => {
      const from = tier === "built-in" ? "built-in" : [tier, source].filter(Boolean).join(", ");
      const about =
        status === "used" ? description : `${status}: ${why ?? ""}${file === undefined ? "" : ` (${file})`}`;
      const marks = [from, ...(isReadOnly ? ["read-only"] : [])].filter((mark) => mark !== "").join(", ");
      return [
        `${name.padEnd(width)}  ${about}${marks === "" ? "" : ` (${marks})`}`,
        ...notes.map((note) => `${"".padEnd(width)}  note: ${note}`),
        ...(notes.length > 0 && status !== "refused" && file !== undefined ? [`${"".padEnd(width)}  in ${file}`] : []),
      ];
    })
    .join("\n");
}

export function agentsText(agents: readonly AgentSummary[]): string {
  if (agents.length === 0) return "No agents have run in this session.";
  return agents.map(lineOf).join("\n");
}

function lineOf(agent: AgentSummary): string {
  const { agentId, name, description, state, status, durationMs, cost, turns, depth, lastAction, why } = agent;
  const who = name === undefined ? agentId : `${name} (${agentId})`;
  const how = status === undefined ? state : `${status}, ${state}`;
  const amounts = [
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    `${(durationMs / 1_000).toFixed(1)} s`,
    isUnknownCost(cost) ? "cost unknown" : `$${cost.usd.toFixed(4)}`,
  ];
  const indent = "  ".repeat(Math.max(0, depth - 1));
  const doing = agent.isResting
    ? "; idle"
    : state === "running" && lastAction !== undefined
      ? `; now: ${lastAction}`
      : "";
  const asking = agent.isAsking ? "; waits for your answer" : "";
  return `${indent}${who}  ${agent.agent}: ${description} [${how}] ${amounts.join(", ")}${doing}${asking}${why === undefined ? "" : ` ${why}`}`;
}
