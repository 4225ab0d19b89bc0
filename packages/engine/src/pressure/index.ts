/** Watching a run for pressure, escalation and repeated rejections: what the rest of the engine uses of it. */
export { createEscalationWatch, type EarlierFailure, type EscalationWatch } from "./escalation.ts";
export { isTestOrCriteria } from "./path-kinds.ts";
export {
  type Contribution,
  createPressureMonitor,
  type PressureMonitor,
  type PressureOptions,
  type PressureReading,
} from "./pressure-monitor.ts";
export { checkpointQuestion, diagnosisReminder } from "./pressure-texts.ts";
export { createRejectedCalls, type RejectedCalls } from "./rejected-calls.ts";
export {
  defaultThresholds,
  defaultWeights,
  type ObservedCall,
  type PressureLevel,
  type PressureThresholds,
  type PressureWeights,
} from "./signals.ts";
