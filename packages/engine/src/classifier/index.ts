/** The classifier that answers in auto mode, and what measures it. */
export {
  type EvaluatedCall,
  type EvaluationCounts,
  type EvaluationParts,
  type EvaluationReport,
  evaluateClassifier,
} from "./evaluate-classifier.ts";
export { judgeLabelledCall, type LabelledPlace, type Reach } from "./judge-labelled-call.ts";
export { type LabelledCall, readLabelledCalls } from "./labelled-calls.ts";
