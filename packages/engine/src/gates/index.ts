/** Gates before a call: steering files, premise files, commands that cannot be taken back, and what a person must see. */
export type { CallCause } from "./call-times.ts";
export { changedPaths } from "./changed-paths.ts";
export { type Gated, type GatedCall, type GateParts, gateCall } from "./gate-call.ts";
export type { FileLook, HashedFile, Listed, MachineLook, PathMeasure, WantedMark } from "./machine-look.ts";
export {
  createPremiseWatch,
  type PremiseChange,
  type PremiseWatch,
  type PremiseWatchParts,
  type WatchedChange,
} from "./premise-watch.ts";
export { isNamedByRule, isSteeringFile, type SteeringPlaces, steeringNotice } from "./steering-files.ts";
