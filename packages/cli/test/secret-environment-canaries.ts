/** Secrets of every kind for the environment of a test, and programs that write down what they were started with. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** kedge's own, for no child at all. */
const ownNames: readonly string[] = [
  "KEDGE_SERVER_TOKEN",
  "KEDGE_BRIDGE_SECRET",
  "KEDGE_API_KEY",
  "KEDGE_PASSWORD",
  "INPUT_KEDGE_SERVER_TOKEN",
];

/** Of providers, clouds, CI and telemetry: for no child of a session that nobody watches. */
const foreignNames: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_CUSTOM_HEADERS",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "NEWCOMER_API_KEY",
  "HF_TOKEN",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "AZURE_CLIENT_SECRET",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_CACHE_URL",
  "CI_JOB_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "INPUT_ANTHROPIC_API_KEY",
  "INPUT_AWS_SECRET_ACCESS_KEY",
  "INPUT_ACTIONS_RUNTIME_TOKEN",
];

/** Wrapper scripts need them. */
const keptNames: readonly string[] = ["GITHUB_TOKEN", "GH_TOKEN", "HARMLESS"];

const canaryOf = (name: string) => `canary-of-${name.toLowerCase()}.`;

export const canaries: { readonly [name: string]: string } = Object.fromEntries(
  [...ownNames, ...foreignNames, ...keptNames].map((name) => [name, canaryOf(name)]),
);

export type Reached = {
  /** Names of kedge's own secrets. */
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly kept: readonly string[];
};

/** What a child gets that nobody watches: only what is kept. */
export const onlyKept: Reached = { own: [], foreign: [], kept: keptNames };

/** What a command gets with a person beside it. */
export const allButOwn: Reached = { own: [], foreign: foreignNames, kept: keptNames };

/** Which of the values stand in the text. */
export function reached(text: string): Reached {
  const found = (names: readonly string[]) => names.filter((name) => text.includes(canaryOf(name)));
  return { own: found(ownNames), foreign: found(foreignNames), kept: found(keptNames) };
}

/** What stands in the file, which must be there: a child that was never started proves nothing. */
export function reachedIn(path: string): Reached {
  if (!existsSync(path)) throw new Error(`nothing was started that writes ${path}`);
  return reached(readFileSync(path, "utf8"));
}

/** Writes its environment to the log, and goes on as `next`, a command of a shell. */
export function putWitness(path: string, { log, next }: { readonly log: string; readonly next: string }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n/usr/bin/env >> ${log}\n${next}\n`);
  chmodSync(path, 0o755);
}
