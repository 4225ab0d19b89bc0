/** A tool call as far as it is known: what each phase is given, and what it gives on. */
import type {
  FileChange,
  Json,
  JsonObject,
  Media,
  Need,
  PermissionDecision,
  PermissionRule,
  Tool,
  ToolCallBlock,
  ToolContext,
  ToolOutcome,
} from "@kedge/protocol";
import type { Gated } from "../gates/index.ts";
import type { AllowedLook, AllowVerdict, AskVerdict } from "../permission/index.ts";
import { openGates, questionOf } from "./asking/raise-verdict.ts";
import type { WatchedCall } from "./files/watch-call.ts";
import { type Timings, untimed } from "./timings.ts";

/** Where a call comes from, and how it gets its turn. */
export type CallOrigin = {
  readonly stepId: string;
  readonly signal: AbortSignal;
  /** The call inside which it runs. */
  readonly parentCallId?: string;
  /** Allow rules for calls inside of a call. */
  readonly allow?: readonly PermissionRule[];
  /** Resolves when no other call of the step runs, and keeps it so: for a call that turned out to need it. */
  readonly alone: () => Promise<void>;
};

export type CallEnd = {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
  readonly media?: readonly Media[];
  /** Present when the call was refused. */
  readonly decision?: PermissionDecision;
};

/** What a tool gets, and what it did with it. */
export type CallContext = ToolContext & {
  /** The tool fenced text of strangers, so its result has been made harmless already. */
  readonly hasFenced: boolean;
};

export type Call = {
  readonly origin: CallOrigin;
  /** As the model made it, or with the input that a person or a phase put in the place of the model's. */
  readonly block: ToolCallBlock;
  readonly context: CallContext;
  /** Another one for the same call, in which nothing was printed yet. */
  readonly newContext: () => CallContext;
  readonly timings: Timings;
  readonly tool: Tool;
  /** The JSON of the block, and what the tool read from it. Undefined until both are known. */
  readonly json: Json | undefined;
  readonly input: unknown;
  readonly readOnly: boolean;
  readonly concurrencySafe: boolean;
  /** A person wrote the input. */
  readonly isEdited: boolean;
  /** Phases from outside that changed the input since. */
  readonly changedBy: readonly string[];
  readonly needs: readonly Need[];
  /** The model made the same call too often in a row. */
  readonly isRepeated: boolean;
  readonly verdict: AllowVerdict | AskVerdict;
  /** Why phases from outside want a person to look. */
  readonly raised: readonly string[];
  /** The phase from outside that answers in the place of a person. */
  readonly allowedBy?: string;
  readonly gated: Gated;
  /** What the person who wrote the input was asked, as long as it is theirs. */
  readonly answered?: AskVerdict;
  /** The input that a person has just written: it has yet to be permitted. */
  readonly edit?: JsonObject;
  /** What changed while a person was asked: the answer was for something else. */
  readonly changes?: readonly string[];
  /** How often the question was asked again for that reason. */
  readonly timesAskedAgain: number;
  readonly decision?: PermissionDecision;
  /** It may run because it only looks, and so only where it cannot act. */
  readonly look?: AllowedLook;
  /** Why a look did not work there; a person may permit it as it is. */
  readonly blocked?: string;
  readonly watched?: WatchedCall;
  /** When the tool began to run, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** What it changed beside its own diff. */
  readonly files?: readonly FileChange[];
  /** Present once the call is over. */
  readonly end?: CallEnd;
  /** For the model, below the result. */
  readonly notes: readonly string[];
  /** Resolves when the end is stored. */
  readonly ended?: Promise<void>;
};

export const abortedText = "Tool execution aborted";

export const interrupted: CallEnd = { outcome: "interrupted", output: abortedText };

export function failed(call: Call, output: string): Call {
  return { ...call, end: { outcome: "failed", output } };
}

export function refused(call: Call, decision: PermissionDecision, output: string): Call {
  return { ...call, end: { outcome: "refused", decision, output } };
}

/** What nobody has judged yet needs an answer. */
const unjudged = questionOf({ tool: "", needs: [] }, "this call has not been checked");

export function newCall(origin: CallOrigin, block: ToolCallBlock, newContext: () => CallContext): Call {
  return {
    origin,
    block,
    context: newContext(),
    newContext,
    timings: untimed,
    tool: unknownTool,
    json: undefined,
    input: undefined,
    readOnly: false,
    concurrencySafe: false,
    isEdited: false,
    changedBy: [],
    needs: [],
    isRepeated: false,
    verdict: unjudged,
    raised: [],
    timesAskedAgain: 0,
    gated: openGates,
    notes: [],
  };
}

/** Stands for the tool until it is found; a call that ends before has done nothing. */
const unknownTool: Tool = {
  name: "",
  description: "",
  inputSchema: {},
  resultCharactersMax: 0,
  parse: () => ({ ok: false, report: "" }),
  needs: () => [],
  readOnly: () => false,
  concurrencySafe: () => false,
  run: async () => ({ output: "", title: "" }),
};
