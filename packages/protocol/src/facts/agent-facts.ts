/** Facts of agents: in the session that started them, and in the one that another agent wrote to. */
import type { AgentEnd } from "../contracts/agent-outcome.ts";

export type AgentFact =
  /** An agent is about to start, or to continue after an end. Its session has the same id, and names this one. */
  | {
      readonly type: "agent.started";
      readonly agentId: string;
      readonly agent: string;
      readonly description: string;
      readonly depth: number;
      /** The call that waits for it, or that sent it into the background. */
      readonly callId?: string;
      readonly name?: string;
      /** A second order with the same key is answered with the stored end. */
      readonly key?: string;
      readonly isBackground?: true;
      /** Whoever ordered it hears its end, and the model does not. */
      readonly isQuiet?: true;
      readonly isRevived?: true;
      /** The last fact of its session before this start; absent for the first. */
      readonly afterSeq?: number;
    }
  /** Exactly one for each start. */
  | ({ readonly type: "agent.ended" } & AgentEnd)
  /** Another agent wrote to this session; the model reads it with the next step. */
  | {
      readonly type: "mail.received";
      readonly messageId: string;
      readonly fromId: string;
      readonly from: string;
      readonly text: string;
    };
