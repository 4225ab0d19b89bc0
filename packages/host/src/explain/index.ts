/** What would be decided, and how well a model decides: for commands that judge without running anything. */
export type { EvaluatedCall, EvaluationCounts, EvaluationReport } from "@kedge/engine/classifier";
export { evaluateClassifierModel } from "../models/classifier-evaluation.ts";
export { examineLooks } from "../shell/command-looks.ts";
export { createExplainer, type ExplainedSubject, explainedSubjects } from "./answer-question.ts";
export type { PermissionSurroundings } from "./explain-permission.ts";
export { readToolCatalogue } from "./explain-tools.ts";
export { scriptBytesMax } from "./read-script.ts";
