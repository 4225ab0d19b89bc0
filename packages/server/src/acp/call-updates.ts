/** Updates of the calls of a session: announced while their input arrives, described once, followed to their end. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { FactOf, Signal } from "@kedge/protocol";
import { type CallView, type KnownCall, outputContent, viewCall, viewEnd } from "./call-view.ts";

interface CallUpdates {
  announced(signal: Extract<Signal, { type: "tool.input.delta" }>): readonly SessionUpdate[];
  /** Once for each call, as soon as its whole input is known. */
  described(call: KnownCall): readonly SessionUpdate[];
  started(call: KnownCall): readonly SessionUpdate[];
  progressed(signal: Extract<Signal, { type: "tool.progress" }>): readonly SessionUpdate[];
  ended(fact: FactOf<"tool.ended">): readonly SessionUpdate[];
  /** Calls that were announced and never ran, because the answer broke off. */
  abandoned(): readonly SessionUpdate[];
  hasEnded(callId: string): boolean;
  /** The ids of ended calls may be used again. */
  beginStep(): void;
  /** A call that was announced and has not ended. */
  find(callId: string): CallView | undefined;
}

/** What a running command has written is shown by its end; all of it comes with the result. */
const progressCharactersMax = 8_192;

type OpenCall = KnownCall & { view?: CallView; inputText: string; progress: string };

export function createCallUpdates(cwd: string): CallUpdates {
  const calls = new Map<string, OpenCall>();
  /** Calls that only read run before the answer with them is finished, and may end before it. */
  const ended = new Set<string>();

  function described({ callId, tool, inputText }: KnownCall): readonly SessionUpdate[] {
    const known = calls.get(callId);
    if (known?.view !== undefined) return [];
    const view = viewCall({ callId, tool, inputText }, cwd);
    calls.set(callId, { callId, tool, inputText, view, progress: "" });
    if (known !== undefined) return [{ sessionUpdate: "tool_call_update", ...view }];
    return [{ sessionUpdate: "tool_call", ...view, status: "pending" }];
  }

  return {
    described,
    announced({ callId, tool, text }) {
      const known = calls.get(callId);
      if (known !== undefined) {
        known.inputText += text;
        return [];
      }
      calls.set(callId, { callId, tool, inputText: text, progress: "" });
      const { kind, name } = viewCall({ callId, tool, inputText: "" }, cwd);
      return [{ sessionUpdate: "tool_call", toolCallId: callId, title: tool, name, kind, status: "pending" }];
    },
    started(call) {
      const inProgress = { toolCallId: call.callId, status: "in_progress" } as const;
      return [...described(call), { sessionUpdate: "tool_call_update", ...inProgress }];
    },
    progressed({ callId, text }) {
      const call = calls.get(callId);
      if (call === undefined) return [];
      call.progress = (call.progress + text).slice(-progressCharactersMax);
      return [{ sessionUpdate: "tool_call_update", toolCallId: callId, content: outputContent(call.progress) }];
    },
    ended(fact) {
      const { callId, tool } = fact;
      const first = described({ callId, tool, inputText: "" });
      const locations = calls.get(callId)?.view?.locations ?? [];
      calls.delete(callId);
      ended.add(callId);
      const end = viewEnd(fact, { cwd, locations });
      return [...first, { sessionUpdate: "tool_call_update", toolCallId: callId, ...end }];
    },
    abandoned() {
      const open = [...calls.keys()];
      calls.clear();
      return open.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
    },
    hasEnded: (callId) => ended.has(callId),
    beginStep: () => ended.clear(),
    find(callId) {
      const known = calls.get(callId);
      return known === undefined ? undefined : (known.view ?? viewCall(known, cwd));
    },
  };
}
