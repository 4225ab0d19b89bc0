/** Tells when each stage of a start was passed, for who wants to know why a start is slow or where it stops. */
import { writeDiagnostic } from "../output.ts";

/** In the order in which a run passes them; no kind of run passes all. */
export type Stage =
  | "guards"
  | "program"
  | "arguments"
  | "trust"
  | "configuration"
  | "assemble"
  | "session"
  /** The engine comes up beside the screen from here on. */
  | "engine thread"
  | "screen"
  /** Where the model is sent instruction files. */
  | "instructions"
  /** Recorded right before it leaves. */
  | "first request"
  | "first tool"
  | "prompt ready"
  | "end";

/** Called whenever a stage is passed; only the first time counts. */
export type PassStage = (stage: Stage) => void;

/** Looks only at the shape of the arguments, because the program that reads them is not loaded yet. */
export function areStagesWanted(
  argv: readonly string[],
  environment: { readonly [name: string]: string | undefined },
): boolean {
  if (environment["KEDGE_DEBUG_STARTUP"] === "1") return true;
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--debug-startup");
}

/** Each line is written at once, so that the last one says where a start that never ends has stopped. */
export function createStartupStages({ isWanted }: { readonly isWanted: boolean }): PassStage {
  if (!isWanted) return ignoreStage;
  const passed = new Set<Stage>();
  return (stage) => {
    if (passed.has(stage)) return;
    passed.add(stage);
    // The clock begins with the process.
    writeDiagnostic(`${performance.now().toFixed(1).padStart(msWidth)} ms  ${stage}`);
  };
}

export const ignoreStage: PassStage = () => {};

const msWidth = 7;
