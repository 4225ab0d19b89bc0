/** What this process is made of before anything is opened: clocks, ids, its identity, its secrets, and telemetry. */
import { createRedactor } from "@kedge/memory";
import { monotonicMs } from "@kedge/protocol";
import { createProcessTie } from "@kedge/tools";
import { createDebugLog } from "../debug-log/debug-log.ts";
import { configuredSecrets, storedSecrets } from "../known-secrets.ts";
import { thisProcess } from "../machine/identity.ts";
import { createIds } from "../machine/ids.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import { secretsOfStorage } from "../storage/storage-settings.ts";
import { createTelemetry } from "../telemetry/create-telemetry.ts";
import type { AssembleOptions } from "./assemble-options.ts";

export type ProcessParts = ReturnType<typeof createProcessParts>;

export function createProcessParts(options: AssembleOptions) {
  const { configuration, environment, kedgeVersion, onNotice, now = Date.now } = options;
  const randomBytes = createRandomBytes();
  const telemetry = createTelemetry({ settings: configuration.telemetry, environment, kedgeVersion, onNotice });
  const secrets = [...configuredSecrets(options), ...telemetry.secrets, ...secretsOfStorage(configuration.storage)];
  let areStoredRead = false;
  /** The file of keys is read for the first text only, so that a start does without. */
  const values = () => {
    if (!areStoredRead) secrets.push(...storedSecrets(options.home.directory));
    areStoredRead = true;
    return secrets;
  };
  const { redact } = createRedactor({ values });
  const holder = thisProcess();
  const wish = options.debug ?? environment["KEDGE_DEBUG"];
  return {
    debugLog: createDebugLog({ home: options.home.directory, now, redact, wish }),
    now,
    monotonicMs,
    randomBytes,
    newId: createIds(now, randomBytes),
    holder,
    /** What is started here ends with this process. */
    tie: createProcessTie(holder),
    telemetry,
    /** Takes secrets out of text, those among them that were learned meanwhile. */
    redact,
    /** For what tools give; the user may leave in it what only has the form of a secret. */
    resultRedactor: createRedactor({ values, formats: configuration.redaction.formats }),
    learnSecret: (secret: string) => {
      // Told with every request; the redactor is rebuilt for each one more.
      if (!secrets.includes(secret)) secrets.push(secret);
    },
  };
}
