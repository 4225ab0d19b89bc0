/** The calls of one answer and their results: each call once, each with exactly one result, in the order of the calls. */
import type { AssistantBlock } from "@kedge/protocol";
import type { CallIds } from "./call-ids.ts";
import type { ReportRepair, ToolMessage } from "./wire-conversation-rules.ts";

/** What the model reads where the result of a call was never recorded. */
export const lostResult =
  "The result of this call was lost before it was recorded. What the tool did is unknown; look before you repeat it.";

export type CallRun = {
  /** The answer, with the ids that are sent and without calls that repeat an id; the same array if that is no change. */
  readonly blocks: readonly AssistantBlock[];
  readonly callCount: number;
  /** Says where in the conversation the results begin. */
  readonly begin: (start: number) => void;
  readonly start: () => number;
  readonly awaits: (callId: string) => boolean;
  readonly answer: (result: ToolMessage) => void;
  readonly isComplete: () => boolean;
  readonly isWritten: () => boolean;
  /** One result for each call, made up where there is none. */
  readonly write: () => readonly ToolMessage[];
  readonly reopen: () => void;
};

type Call = { readonly sentId: string; readonly tool: string; result?: ToolMessage };

export function createCallRun(content: readonly AssistantBlock[], callIds: CallIds, onRepair: ReportRepair): CallRun {
  const calls = new Map<string, Call>();
  const blocks = claimCalls(content, { calls, callIds, onRepair });
  let start = 0;
  let written = false;
  let answered = 0;
  return {
    blocks,
    callCount: calls.size,
    begin: (index) => {
      start = index;
    },
    start: () => start,
    awaits: (callId) => calls.has(callId) && calls.get(callId)?.result === undefined,
    answer(result) {
      const call = calls.get(result.callId);
      if (call === undefined) return;
      call.result = call.sentId === result.callId ? result : { ...result, callId: call.sentId };
      answered++;
    },
    isComplete: () => answered === calls.size,
    isWritten: () => written,
    write() {
      written = true;
      return [...calls].map(([callId, { sentId, tool, result }]) => {
        if (result !== undefined) return result;
        onRepair(`The call of ${tool} (${callId}) has no result; the model sees that it was lost.`);
        return { role: "tool", callId: sentId, tool, output: lostResult, isError: true };
      });
    },
    reopen: () => {
      written = false;
    },
  };
}

function claimCalls(
  content: readonly AssistantBlock[],
  {
    calls,
    callIds,
    onRepair,
  }: { readonly calls: Map<string, Call>; readonly callIds: CallIds; readonly onRepair: ReportRepair },
): readonly AssistantBlock[] {
  let changed = false;
  const blocks = content.flatMap((block): readonly AssistantBlock[] => {
    if (block.type !== "tool-call") return [block];
    if (calls.has(block.callId)) {
      onRepair(`A second call of one answer with the id ${block.callId} was left out.`);
      changed = true;
      return [];
    }
    const sentId = callIds.claim(block.callId);
    calls.set(block.callId, { sentId, tool: block.tool });
    if (sentId === block.callId) return [block];
    changed = true;
    return [{ ...block, callId: sentId }];
  });
  return changed ? blocks : content;
}
