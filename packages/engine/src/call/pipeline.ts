/** Takes each tool call through all phases, so that no tool can forget one, to exactly one `tool.ended`. */
import type { ChildCall, ChildResult, Children, ToolCallBlock } from "@kedge/protocol";
import { type Call, type CallOrigin, interrupted, newCall } from "./call.ts";
import type { CallServices } from "./call-services.ts";
import { passPhases } from "./phase.ts";
import { createPhases } from "./phases.ts";
import { createToolContexts } from "./tool-context.ts";

export interface Pipeline {
  /** Finds the tool and parses the input; no side effects. */
  prepare(block: ToolCallBlock, origin: CallOrigin): Call;
  /** Resolves when the call is over and its end is on its way to the journal; `ended` resolves when it is stored. */
  run(prepared: Call): Promise<Call>;
  /** A call of this tool is on its way. */
  announce(tool: string): void;
}

export function createPipeline(services: CallServices): Pipeline {
  const { read, running } = createPhases(services);

  function prepare(block: ToolCallBlock, origin: CallOrigin): Call {
    let started = 0;
    const nextId = () => {
      started += 1;
      return `${block.callId}_${started}`;
    };
    const runChildren: Children["run"] = (calls, options) => runInside(calls, block, { ...origin, ...options }, nextId);
    return read(newCall(origin, block, createToolContexts(services, block, origin, runChildren)));
  }

  /** Not an async function, which would take longer to hand on what the phases gave. */
  function run(call: Call): Promise<Call> {
    try {
      return Promise.resolve(passPhases(running, call.origin.signal.aborted ? { ...call, end: interrupted } : call));
    } catch (bug) {
      return Promise.reject(bug);
    }
  }

  /** One after the other, in the order given: a call may build on the one before. */
  async function runInside(
    calls: readonly ChildCall[],
    parent: ToolCallBlock,
    origin: CallOrigin,
    nextId: () => string,
  ) {
    const results: ChildResult[] = [];
    for (const { tool, input } of calls) {
      const block: ToolCallBlock = {
        type: "tool-call",
        callId: nextId(),
        tool,
        inputText: JSON.stringify(input ?? {}),
      };
      const { end, ended } = await run(prepare(block, { ...origin, parentCallId: parent.callId }));
      await ended;
      results.push({ tool, output: end?.output ?? "", isError: end?.outcome !== "completed" });
    }
    return results;
  }

  return { prepare, run, announce: (tool) => services.pool.find(tool)?.warmUp?.() };
}
