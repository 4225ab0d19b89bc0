/** Measures a model of the user as classifier of auto mode, with the labelled calls and the rules of the settings. */
import {
  type EvaluationReport,
  evaluateClassifier,
  type LabelledPlace,
  readLabelledCalls,
} from "@kedge/engine/classifier";
import { createRedactor } from "@kedge/memory";
import type { Failure, Models } from "@kedge/protocol";
import { isProtectedPath } from "@kedge/sandbox";
import { analyseShell } from "@kedge/sandbox/shell";
import type { Configuration } from "../configuration/load-configuration.ts";
import { newRequestId } from "../machine/ids.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import { openModels } from "./open-models.ts";

export type EvaluateModelOptions = {
  readonly configuration: Configuration;
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly kedgeVersion: string;
  /** `provider/model`. */
  readonly model: string;
  /** Told after each answer. */
  readonly onProgress: (done: number, of: number) => void;
};

export type ModelEvaluation =
  | { readonly kind: "measured"; readonly report: EvaluationReport }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly failure: Failure };

export function evaluateClassifierModel(options: EvaluateModelOptions, signal: AbortSignal): Promise<ModelEvaluation> {
  const { configuration, environment, userDirectory, model, onProgress } = options;
  const { model: _, ...rules } = configuration.autoMode;
  const secrets: string[] = [];
  const { redact } = createRedactor({ values: () => secrets });
  const { models } = openModels({
    configuration,
    home: options.home,
    environment,
    userDirectory,
    unattended: false,
    kedgeVersion: options.kedgeVersion,
    app: "cli",
    now: () => Date.now(),
    randomBytes: createRandomBytes(),
    redact,
    onKey: (key) => secrets.push(key),
    // It is asked for one model by its id.
    onNotice: () => undefined,
  });
  return measureClassifier({ models, model, rules, redact, onProgress }, signal);
}

export type MeasuredClassifier = Pick<EvaluateModelOptions, "model" | "onProgress"> & {
  readonly models: Models;
  readonly rules: Omit<Configuration["autoMode"], "model">;
  readonly redact: (text: string) => string;
};

/** Where the calls of the set happen: in directories below this home. */
const home = "/home/dev";
export const labelledPlace: LabelledPlace = {
  home,
  analyseShell,
  isProtected: (path) => isProtectedPath(path, { home }),
};

export async function measureClassifier(parts: MeasuredClassifier, signal: AbortSignal): Promise<ModelEvaluation> {
  const found = await parts.models.find(parts.model);
  if (!found.ok) return { kind: "failed", failure: found.failure };
  const report = await evaluateClassifier(
    readLabelledCalls(),
    { ...parts, place: labelledPlace, monotonicMs: () => performance.now(), newRequestId },
    signal,
  );
  return report === undefined ? { kind: "stopped" } : { kind: "measured", report };
}
