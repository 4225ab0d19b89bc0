/** The terminal UI: one screen over the client, with no power that a remote client lacks. */
export { runTui } from "./app/run-tui.ts";
export type {
  EngineListener,
  EngineStart,
  EngineUp,
  TakeUpWish,
  TrustAnswer,
  TrustAsked,
  TuiEngine,
  TuiExit,
  TuiFiles,
  TuiParts,
} from "./app/tui-parts.ts";
