/** How an agent ends, as it is stored. */
import type { Cost, Usage } from "../content.ts";
import type { AgentStatus } from "../facts/fact-words.ts";
import type { Json } from "../json/json.ts";

/** How an agent ended: stored in the parent exactly once for each start. */
export type AgentEnd = {
  readonly agentId: string;
  readonly status: AgentStatus;
  /** The final message, at most 32 KB; `outputPath` has all of it. */
  readonly result: string;
  readonly structured?: Json;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly turns: number;
  readonly durationMs: number;
  /** Address of the whole output, such as `agent://survey`. */
  readonly outputPath?: string;
  /** One sentence, for every status but `completed`. */
  readonly why?: string;
};
