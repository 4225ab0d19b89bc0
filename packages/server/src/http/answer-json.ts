/** Writes answers: values and problems as JSON with their length, so that short ones are not compressed. */
import type { Failure } from "@kedge/protocol";
import { type Problem, ProblemError, problemBody, problemOfFailure } from "./failure-status.ts";

export function answerJson(value: unknown, status = 200, headers: { readonly [name: string]: string } = {}): Response {
  return answerText(JSON.stringify(value), { ...headers, "content-type": "application/json" }, status);
}

export function answerText(text: string, headers: { readonly [name: string]: string }, status = 200): Response {
  return new Response(text, { status, headers: { ...headers, "content-length": String(Buffer.byteLength(text)) } });
}

export function answerProblem(problem: Problem): Response {
  return answerJson(problemBody(problem), problem.status, problem.headers);
}

/** The value, or the failure on its way to the one place that turns it into an answer. */
export function valueIn<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure },
): Value {
  if (answer.ok) return answer.value;
  throw new ProblemError(problemOfFailure(answer.failure));
}
