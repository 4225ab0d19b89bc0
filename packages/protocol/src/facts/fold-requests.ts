/** The part of the fold that knows what is open: jobs until they end, questions and permission requests until answered. */
import type { FactOf } from "./facts.ts";
import type { SessionState } from "./session-state.ts";

type RequestFact = FactOf<
  "job.started" | "job.ended" | "question.asked" | "question.answered" | "permission.asked" | "permission.answered"
>;

export function applyToRequests(state: SessionState, fact: RequestFact): void {
  switch (fact.type) {
    case "job.started":
      state.jobs.set(fact.jobId, fact);
      return;
    case "job.ended":
      state.jobs.delete(fact.jobId);
      return;
    case "question.asked":
      state.questions.set(fact.requestId, fact.questions);
      return;
    case "question.answered":
      state.questions.delete(fact.requestId);
      return;
    case "permission.asked":
      state.permissionRequests.set(fact.requestId, fact);
      if (fact.isIrreversible === true) state.irreversibleCallId = fact.callId;
      return;
    case "permission.answered":
      state.permissionRequests.delete(fact.requestId);
      if (fact.boot === state.boot) state.grants.push(...fact.grants);
      return;
  }
}
