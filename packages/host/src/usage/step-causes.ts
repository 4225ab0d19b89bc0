/** Why a step cost what it cost, in short sentences for a person. */
import type { CacheBreak, ClearReason, FactOf, FailureCode, Retry, Transition, Usage } from "@kedge/protocol";

/** Smaller results are the ordinary course of work and explain nothing. */
const largeOutputCharacters = 10_000;

/** What changes the beginning of the next request. */
export type Since = "resumed" | "reverted" | "rewound" | "compacted";

/** Results that went out of the model's view, summed up over one or more facts. */
export type ClearedResults = {
  readonly reasons: ReadonlySet<ClearReason>;
  readonly tokensFreed: number;
  readonly resentTokens: number;
};

export type StepCircumstances = {
  readonly model: string;
  readonly outcome: FactOf<"step.ended">["outcome"];
  readonly usage: Usage;
  readonly retries: readonly Retry[];
  readonly cacheBreak?: CacheBreak;
  readonly fallback?: { readonly from: string; readonly reason: FailureCode | "context" };
  /** The step before it in the session; absent for the first. */
  readonly previous?: {
    readonly model: string;
    readonly runId: string;
    readonly failure: FailureCode | undefined;
  };
  readonly runId: string;
  /** Why its run went on with it, once the run has ended. */
  readonly transition?: Transition;
  /** What happened to the session since the step before. */
  readonly since: ReadonlySet<Since>;
  readonly cleared?: ClearedResults;
  /** The tool whose results added most since the step before. */
  readonly largestOutput?: { readonly tool: string; readonly characters: number };
};

const repeated = "the previous answer was interrupted and retried";
const enlarged = "the previous answer was truncated and retried with a larger limit";

/** Going on with results or with what the user said is what every run does. */
const transitionCauses: { readonly [Name in Transition]: string | undefined } = {
  tool_results: undefined,
  queued_input: undefined,
  structured_retry: "the previous answer did not match the schema",
  output_escalate: enlarged,
  output_resume: "continues a truncated answer",
  server_pause: "continues an answer paused by the provider",
  unexpected_stop: "the previous answer was empty",
  stream_restart: repeated,
  model_fallback: undefined,
  checkpoint_open: "the model stopped without reporting on its checkpoint",
  agents_ended: "agents ended or sent messages after the model finished",
  stop_hook: "a hook continued the run",
  context_compacted: "the conversation was compacted",
  context_promoted: "the conversation did not fit the previous model",
  media_strip: "retried without images and documents, which the provider rejected",
};

const clearReasons: { readonly [Reason in ClearReason]: string } = {
  "cache-expired": "the provider's cache had expired",
  size: "the conversation had grown too large",
  useless: "they were empty",
  superseded: "later results supersede them",
  shaken: "they were moved to artifacts",
};

export function causesOf(step: StepCircumstances): readonly string[] {
  const { previous, since, cacheBreak, largestOutput } = step;
  const causes = [
    previous === undefined ? "first request" : undefined,
    cacheBreak === undefined ? undefined : `cache lost: ${cacheBreak.cause}`,
    previous !== undefined && since.has("resumed") ? "first request after the session was resumed" : undefined,
    since.has("reverted") ? "the conversation was changed by undo or redo" : undefined,
    since.has("rewound") ? "the conversation was rewound to a checkpoint" : undefined,
    since.has("compacted") && step.transition !== "context_compacted" ? "the conversation was compacted" : undefined,
    step.cleared === undefined ? undefined : clearedCause(step.cleared),
    modelCause(step),
    repetitionCause(step),
    retryCause(step.retries),
    largestOutput !== undefined && largestOutput.characters >= largeOutputCharacters
      ? `large output of ${largestOutput.tool} before it (${largestOutput.characters} characters)`
      : undefined,
    isUncounted(step) ? "it failed and the provider gave no token count; its cost is unknown" : undefined,
  ];
  return causes.filter((cause) => cause !== undefined);
}

function clearedCause({ reasons, tokensFreed, resentTokens }: ClearedResults): string {
  const why = [...reasons].map((reason) => clearReasons[reason]).join("; ");
  const resent = resentTokens === 0 ? "" : `, ${counted(resentTokens)} tokens after them sent again`;
  return `cleared old results (${why}): ${counted(tokensFreed)} tokens freed${resent}`;
}

function counted(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

/** A model cannot read what another one left in its cache. */
function modelCause({ model, fallback, previous }: StepCircumstances): string | undefined {
  if (fallback !== undefined) return `fallback for ${fallback.from} (${fallback.reason})`;
  if (previous === undefined || previous.model === model) return undefined;
  return `previous model: ${previous.model}`;
}

/** A run that is still going, or that a crash ended, tells no transitions; the failure before it does. */
function repetitionCause({ transition, previous, runId, fallback }: StepCircumstances): string | undefined {
  if (transition !== undefined) return transitionCauses[transition];
  if (previous?.failure === undefined || previous.runId !== runId || fallback !== undefined) return undefined;
  return previous.failure === "max_output_tokens" ? enlarged : repeated;
}

function retryCause(retries: readonly Retry[]): string | undefined {
  if (retries.length === 0) return undefined;
  const codes = [...new Set(retries.map(({ code }) => code))].join(", ");
  return `${retries.length === 1 ? "one attempt" : `${retries.length} attempts`} failed before it (${codes})`;
}

function isUncounted({ outcome, usage }: StepCircumstances): boolean {
  return outcome !== "answered" && usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0;
}
