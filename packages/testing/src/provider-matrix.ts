/** The contract of `Provider` as a list of cases over real HTTP. Every wire adapter passes all of them. */
import { answerCases } from "./provider-matrix/answer-cases.ts";
import { connectionCases } from "./provider-matrix/connection-cases.ts";
import { failureCases } from "./provider-matrix/failure-cases.ts";
import type { MatrixCase, MatrixSubject } from "./provider-matrix/matrix-case.ts";

export type { MatrixCase, MatrixProviderOptions, MatrixSubject } from "./provider-matrix/matrix-case.ts";

/** A case fails by throwing. Run each one as a test of its own; they share nothing. */
export function providerMatrix(subject: MatrixSubject): readonly MatrixCase[] {
  return [...answerCases(subject), ...failureCases(subject), ...connectionCases(subject)];
}
