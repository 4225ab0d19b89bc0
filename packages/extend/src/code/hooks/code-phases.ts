/** Hooks of code around calls: `tool.execute.before` changes or refuses one, `tool.execute.after` rewrites its result. */
import {
  type AfterCall,
  type BeforeCall,
  type CallPhase,
  type EndedCall,
  isJsonObject,
  type JsonObject,
  type PhasedCall,
} from "@kedge/protocol";
import { isHeldVariable } from "../../held-variables.ts";
import { shownTool } from "./tool-names.ts";
import type { UnitHooks } from "./unit-hooks.ts";

export type PhaseParts = {
  /** What commands find in their environment from now on, beside the rest. */
  readonly setVariables: (by: string, variables: { readonly [name: string]: string }) => void;
  /** The model begins to plan. */
  readonly planEntered: (sessionId: string) => void;
};

export function createCodePhases(hooks: UnitHooks, parts: PhaseParts): readonly CallPhase[] {
  const { name } = hooks;
  const named = ({ tool, sessionId, callId }: PhasedCall) => {
    return { tool: shownTool(tool), sessionID: sessionId, callID: callId };
  };

  async function before(call: PhasedCall, signal: AbortSignal): Promise<BeforeCall | undefined> {
    const { input, sessionId } = call;
    const output = { args: input };
    const end = await hooks.run({ hook: "tool.execute.before", sessionId, input: named(call), output, signal });
    switch (end.kind) {
      case "none":
        return undefined;
      case "threw":
        return { decision: "refuse", text: end.problem };
      case "failed":
        return { decision: "refuse", text: `Its hook tool.execute.before failed: ${end.problem}.` };
      case "done": {
        const { args } = end.output;
        if (!isJsonObject(args)) return { decision: "refuse", text: "It gave arguments that are not an object." };
        // Compared as it was sent: plain data.
        if (JSON.stringify(args) === JSON.stringify(input)) return undefined;
        return { decision: "change", input: args as JsonObject };
      }
    }
  }

  async function after(call: EndedCall, signal: AbortSignal): Promise<AfterCall | undefined> {
    const { input: args, sessionId, output, metadata, outcome, tool } = call;
    const isError = outcome !== "completed";
    const shown = { title: tool, output, metadata, isError };
    const input = { ...named(call), args };
    const end = await hooks.run({ hook: "tool.execute.after", sessionId, input, output: shown, signal });
    if (end.kind === "threw") return { note: `[${name}: tool.execute.after failed: ${end.problem}]` };
    if (end.kind !== "done") return undefined;
    const { output: said, metadata: told, isError: counts } = end.output;
    const isOther = typeof counts === "boolean" && counts !== isError && outcome !== "refused";
    return {
      ...(typeof said === "string" && said !== output && { output: said }),
      ...(isJsonObject(told) && JSON.stringify(told) !== JSON.stringify(metadata) && { metadata: told as JsonObject }),
      ...(isOther && { isError: counts, note: `[${name}: counts as ${counts ? "failed" : "completed"}]` }),
    };
  }

  async function beforeCommand(call: PhasedCall, signal: AbortSignal): Promise<undefined> {
    const { cwd, sessionId, callId } = call;
    const input = { cwd, sessionID: sessionId, callID: callId };
    const end = await hooks.run({ hook: "shell.env", sessionId, input, output: { env: {} }, signal });
    if (end.kind === "done" && isJsonObject(end.output["env"])) parts.setVariables(name, textsOf(end.output["env"]));
    return undefined;
  }

  return [
    ...(hooks.has("tool.execute.before") ? [{ name, onError: "refuse", before } as const] : []),
    ...(hooks.has("shell.env") ? [{ name, onError: "continue", tools: ["bash"], before: beforeCommand } as const] : []),
    ...(hooks.has("tool.execute.after") ? [{ name, onError: "continue", after } as const] : []),
    ...(hooks.has("before_plan")
      ? [
          {
            name,
            onError: "continue",
            tools: ["plan_enter"],
            after({ outcome, sessionId }: EndedCall) {
              if (outcome === "completed") parts.planEntered(sessionId);
              return undefined;
            },
          } as const,
        ]
      : []),
  ];
}

function textsOf(variables: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" &&
        !entry[1].includes("\0") &&
        /^[A-Za-z_]\w*$/.test(entry[0]) &&
        !isHeldVariable(entry[0]),
    ),
  );
}
