/** The contract of `Provider` as a list of cases over real HTTP. Every wire adapter passes all of them. */
import { answerCases } from "./provider-matrix/answer-cases.ts";
import { connectionCases } from "./provider-matrix/connection-cases.ts";
import { failureCases } from "./provider-matrix/failure-cases.ts";
import type { MakeProvider, MatrixCase } from "./provider-matrix/matrix-case.ts";

export type { MakeProvider, MatrixCase, MatrixProviderOptions } from "./provider-matrix/matrix-case.ts";

/** A case fails by throwing. Run each one as a test of its own; they share nothing. */
export function providerMatrix(makeProvider: MakeProvider): readonly MatrixCase[] {
  return [...answerCases(makeProvider), ...failureCases(makeProvider), ...connectionCases(makeProvider)];
}
