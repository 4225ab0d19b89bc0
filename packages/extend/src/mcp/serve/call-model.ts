/**
 * A model that makes the calls it is told to. Calls of an MCP client thereby run in an ordinary session: every phase,
 * every rule, the record and undo are those of any call.
 */
import type { Model, ModelEvent, Models, Provider } from "@kedge/protocol";

export type ToldCall = { readonly callId: string; readonly tool: string; readonly inputText: string };

export type CallModel = {
  readonly ref: string;
  /** The next step of the session makes this call. */
  tell(sessionId: string, call: ToldCall): void;
  /** The models of the user, and this one. */
  beside(models: Models): Models;
};

const ref = "kedge/calls";

/** Large enough that no tool is left out of a request and nothing is ever summarised away for want of room. */
const model: Model = {
  ref,
  provider: "kedge",
  id: "calls",
  name: "Calls of an MCP client",
  contextTokens: 100_000_000,
  outputTokensMax: 1_000_000,
  prices: { input: 0, output: 0 },
};

const usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

export function createCallModel(): CallModel {
  const told = new Map<string, ToldCall>();
  const provider: Provider = {
    async *stream({ conversationId }): AsyncGenerator<ModelEvent> {
      const call = told.get(conversationId);
      told.delete(conversationId);
      if (call === undefined) {
        yield { type: "text-delta", text: "Done." };
        yield { type: "end", stopReason: "end", usage };
      } else {
        yield { type: "tool-call", call: { type: "tool-call", ...call } };
        yield { type: "end", stopReason: "tool-calls", usage };
      }
    },
  };
  return {
    ref,
    tell: (sessionId, call) => void told.set(sessionId, call),
    beside: (models) => ({
      find: async (wanted, beside) => (wanted === ref ? { ok: true, model, provider } : models.find(wanted, beside)),
      cost: (used, spent) => (used.ref === ref ? { usd: 0, estimated: false } : models.cost(used, spent)),
    }),
  };
}
