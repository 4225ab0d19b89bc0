/** Permission questions that wait for a person: asked as facts, answered by command, closed by interruption. */
import type {
  FactOf,
  Failure,
  JsonObject,
  PermissionAnswer,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
} from "@kedge/protocol";
import type { Journal } from "../../journal.ts";

/** Who answered in the end. */
export type AnsweredBy = FactOf<"permission.answered">["source"];

export type GivenAnswer = PermissionAnswer & { readonly source: AnsweredBy };

export type Asking = {
  /** The rules that the replies "session" and "project" add. */
  readonly grants: readonly PermissionRule[];
  /** Saves them where later sessions find them; absent where "project" is not offered. */
  readonly save?: () => Promise<Failure | undefined>;
  /** What is wrong with an input that a person wrote, or undefined. */
  readonly objectionTo: (input: JsonObject) => string | undefined;
  /** Whether the rules of the session, as they are by now, let the call pass without an answer. */
  readonly isCovered: () => boolean;
  readonly signal: AbortSignal;
};

export interface Questions {
  /** Waits until someone answers; an interruption counts as a rejection. */
  ask(stepId: string, request: PermissionRequest, asking: Asking): Promise<GivenAnswer>;
  /**
   * A failure when nobody asks any more, or when the answer cannot be taken; then the question goes on to wait. What
   * the user grants for longer answers every waiting question that it covers; what the user rejects takes the other
   * questions of the same answer of the model with it.
   */
  answer(requestId: string, answer: PermissionAnswer, source?: AnswerSource): Promise<Failure | undefined>;
}

type AnswerSource = Extract<AnsweredBy, "user" | "classifier" | "timeout">;

type Waiting = {
  readonly stepId: string;
  readonly request: PermissionRequest;
  readonly asking: Asking;
  readonly answered: PromiseWithResolvers<GivenAnswer>;
};

export function createQuestions(journal: Journal, boot: string): Questions {
  const waiting = new Map<string, Waiting>();

  function record({ request, asking }: Waiting, answer: GivenAnswer): Promise<void> {
    const { reply, source, message, updatedInput } = answer;
    return journal.emit({
      type: "permission.answered",
      requestId: request.requestId,
      callId: request.callId,
      reply,
      source,
      boot,
      grants: isLasting(reply) ? asking.grants : [],
      ...(message !== undefined && { message }),
      ...(updatedInput !== undefined && { updatedInputText: JSON.stringify(updatedInput) }),
    });
  }

  /** An answer that cannot be stored is none, and whoever waits for it must not wait for ever. */
  async function settle(entry: Waiting, answer: GivenAnswer): Promise<void> {
    try {
      await record(entry, answer);
    } catch (error) {
      entry.answered.reject(error);
      throw error;
    }
    entry.answered.resolve(answer);
  }

  /** Takes the others out before anything is awaited, so that nobody else can answer them meanwhile. */
  async function settleOthers(reply: "once" | "reject", isMeant: (other: Waiting) => boolean): Promise<void> {
    const others = [...waiting.values()].filter(isMeant);
    for (const { request } of others) waiting.delete(request.requestId);
    await Promise.all(others.map((other) => settle(other, { reply, source: "sibling" })));
  }

  /** Whoever saves holds the question meanwhile, and gives it back when nothing could be saved. */
  async function saveFor(entry: Waiting): Promise<Failure | undefined> {
    const { asking, request } = entry;
    const failure = await asking.save?.();
    if (failure === undefined) return undefined;
    if (asking.signal.aborted) await settle(entry, { reply: "reject", source: "interrupt" });
    else waiting.set(request.requestId, entry);
    return failure;
  }

  return {
    async ask(stepId, request, asking) {
      const { signal } = asking;
      if (signal.aborted) return { reply: "reject", source: "interrupt" };
      const answered = Promise.withResolvers<GivenAnswer>();
      // If the question itself cannot be stored, nobody waits for this any more.
      answered.promise.catch(() => undefined);
      const entry: Waiting = { stepId, request, asking, answered };
      waiting.set(request.requestId, entry);
      const interrupt = () => {
        if (!waiting.delete(request.requestId)) return;
        // The one who asked sees the failure as well.
        settle(entry, { reply: "reject", source: "interrupt" }).catch(() => undefined);
      };
      signal.addEventListener("abort", interrupt, { once: true });
      try {
        await journal.emit({ type: "permission.asked", stepId, ...request });
        return await answered.promise;
      } finally {
        signal.removeEventListener("abort", interrupt);
        waiting.delete(request.requestId);
      }
    },
    async answer(requestId, answer, source = "user") {
      const entry = waiting.get(requestId);
      const objection = entry === undefined ? undefined : objectionTo(answer, entry.asking);
      if (objection !== undefined) return refusal(objection);
      if (entry === undefined || !waiting.delete(requestId)) {
        return {
          code: "not_found",
          message: `Permission request ${requestId} is no longer open.`,
          retryable: false,
        };
      }
      const unsaved = answer.reply === "project" ? await saveFor(entry) : undefined;
      if (unsaved !== undefined) return unsaved;
      await settle(entry, { ...answer, source });
      if (source !== "user") return undefined;
      if (answer.reply === "reject") await settleOthers("reject", ({ stepId }) => stepId === entry.stepId);
      else if (isLasting(answer.reply)) await settleOthers("once", ({ asking }) => asking.isCovered());
      return undefined;
    },
  };
}

function isLasting(reply: PermissionReply): boolean {
  return reply === "session" || reply === "project";
}

/** Why the answer cannot be taken as it is. */
function objectionTo({ reply, updatedInput }: PermissionAnswer, asking: Asking): string | undefined {
  if (reply === "project" && asking.save === undefined) {
    return "This cannot be saved for the project. Allow it once or for this session.";
  }
  if (updatedInput === undefined) return undefined;
  return reply === "once" ? asking.objectionTo(updatedInput) : "Edited input can only be allowed once.";
}

function refusal(message: string): Failure {
  return { code: "invalid_command", message, retryable: false };
}
