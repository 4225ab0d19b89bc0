/** Stands in for the model where a prompt gives work to agents: the first answer of the run is the calls that start them. */
import { type ModelEvent, noUsage, type Provider, type Subtask } from "@kedge/protocol";

/** Costs nothing and asks nobody. What follows, from permission to the record, is as if a model had made the calls. */
export function givenCalls(subtasks: readonly Subtask[], stepId: string): Provider {
  return {
    async *stream(): AsyncGenerator<ModelEvent> {
      for (const [index, { agent, prompt, description, model }] of subtasks.entries()) {
        const input = {
          ...{ description, prompt },
          ...(agent !== undefined && { subagent_type: agent }),
          ...(model !== undefined && { model }),
          run_in_background: false,
        };
        const callId = `call_${stepId.slice("stp_".length)}_${index + 1}`;
        yield {
          type: "tool-call",
          call: { type: "tool-call", callId, tool: "agent", inputText: JSON.stringify(input) },
        };
      }
      yield { type: "end", stopReason: "tool-calls", usage: noUsage };
    },
  };
}
