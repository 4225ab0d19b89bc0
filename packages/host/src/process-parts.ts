/** What this process is made of before anything is opened: clocks, ids, its identity, its secrets, and telemetry. */
import { redactSecrets } from "@kedge/memory";
import { isSecretName } from "@kedge/sandbox";
import { createProcessTie } from "@kedge/tools";
import type { AssembleOptions } from "./assemble-options.ts";
import { thisProcess } from "./identity.ts";
import { createIds } from "./ids.ts";
import { createRandomBytes } from "./random-bytes.ts";
import { secretsOfStorage } from "./storage/storage-settings.ts";
import { createTelemetry } from "./telemetry/create-telemetry.ts";

export type ProcessParts = ReturnType<typeof createProcessParts>;

export function createProcessParts(options: AssembleOptions) {
  const { configuration, environment, kedgeVersion, onNotice, now = Date.now } = options;
  const randomBytes = createRandomBytes();
  const telemetry = createTelemetry({ settings: configuration.telemetry, environment, kedgeVersion, onNotice });
  const secrets = [
    ...knownSecrets(configuration, environment),
    ...telemetry.secrets,
    ...secretsOfStorage(configuration.storage),
  ];
  const holder = thisProcess();
  return {
    now,
    monotonicMs: () => performance.now(),
    randomBytes,
    newId: createIds(now, randomBytes),
    holder,
    /** What is started here ends with this process. */
    tie: createProcessTie(holder),
    telemetry,
    /** Takes secrets out of text, those among them that were learned meanwhile. */
    redact: (text: string) => redactSecrets(text, secrets),
    learnSecret: (secret: string) => void secrets.push(secret),
  };
}

/** Keys from the configuration and values of variables that are known to hold secrets. */
function knownSecrets(
  { providers }: AssembleOptions["configuration"],
  environment: AssembleOptions["environment"],
): readonly string[] {
  const keys = Object.values(providers).map(({ apiKey }) => apiKey);
  const variables = Object.keys(environment)
    .filter(isSecretName)
    .map((name) => environment[name]);
  return [...keys, ...variables].filter((value) => value !== undefined);
}
