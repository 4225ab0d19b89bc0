/** What held when a summary took over: kept beside it, so that whoever goes on can prove that it still holds. */
import { createHash } from "node:crypto";
import type {
  AgentRecord,
  CompactionStrategy,
  CompactionTrigger,
  Jobs,
  JsonObject,
  SessionState,
  ToolSchema,
} from "@kedge/protocol";
import type { SystemTexts } from "../context/context-builder.ts";
import type { Spending } from "./compaction-parts.ts";
import type { Cut } from "./cut.ts";
import type { Restored } from "./restore.ts";

export type BoundaryFacts = Spending & {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messageCount: number;
  readonly cut: Cut;
  readonly restored: Restored;
  readonly system: SystemTexts;
  readonly tools: readonly ToolSchema[];
  /** The vendor that also shortened the conversation itself. */
  readonly shortenedBy?: string;
  /** Who wrote the summary in the place of a model. */
  readonly by?: string;
  /** What moments want to keep, by their names. */
  readonly data?: JsonObject;
};

export function boundaryOf(facts: BoundaryFacts, state: SessionState, jobs: Pick<Jobs, "list">): JsonObject {
  const { trigger, strategy, instructions, tokensBefore, tokensAfter, messageCount, cut, restored, system, model } =
    facts;
  const firstKeptId = cut.kept[0]?.id;
  const running = jobs.list().filter(({ status }) => status === "running");
  return {
    trigger,
    strategy,
    outcome: "compacted",
    tokensBefore,
    tokensAfter,
    messageCount,
    ...(firstKeptId !== undefined && { firstKeptId }),
    isSplitTurn: cut.turnBeginning.length > 0,
    preCompactDiscoveredTools: [...state.foundTools].sort(),
    announcedTools: facts.tools.map(({ name }) => name),
    instructionHashes: [system.system, system.systemTail ?? ""].map(digestOf),
    ...(restored.planFile !== undefined && { planFile: restored.planFile }),
    restoredFiles: restored.files.map(({ path }) => path),
    mode: state.mode,
    todos: state.todos.map(({ content, status, priority }) => ({ content, status, priority })),
    openJobs: running.map(({ jobId, command }) => ({ jobId, command })),
    ...(state.agents.size > 0 && { agents: [...state.agents.values()].map(agentMark) }),
    pressure: state.pressure,
    ...(model !== undefined && { summaryModel: model }),
    ...(facts.shortenedBy !== undefined && { shortenedBy: facts.shortenedBy }),
    ...(instructions !== undefined && { instructions }),
    ...(facts.by !== undefined && { by: facts.by }),
    ...(facts.data !== undefined && { data: facts.data }),
    usd: facts.cost.usd,
  };
}

function agentMark({ agentId, agent, name, end }: AgentRecord): JsonObject {
  return { agentId, agent, ...(name !== undefined && { name }), status: end?.status ?? "running" };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
