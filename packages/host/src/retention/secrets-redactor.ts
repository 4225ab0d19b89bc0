/** What counts as a secret in a stored session: what the shared redactor finds, and the user's own list. */
import type { Failure } from "@kedge/protocol";
import { createExportRedactor } from "../transcripts/export-redactor.ts";
import { readSecrets } from "../transcripts/secret-list.ts";

export type SecretsRedactor =
  | { readonly ok: true; readonly redact: (text: string) => string }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Variables that only sound like secrets are no reason to change what was said, so unlike an export it does not look at
 * them; those that are secrets the shared redactor knows.
 */
export async function secretsRedactor(home: string, redact: (text: string) => string): Promise<SecretsRedactor> {
  const secrets = await readSecrets(home);
  if (!secrets.ok) return { ok: false, failure: refused(secrets.sentence) };
  const redactor = createExportRedactor({ redact, environment: {}, secrets: secrets.entries });
  return redactor.ok ? redactor : { ok: false, failure: refused(redactor.sentence) };
}

function refused(message: string): Failure {
  return { code: "invalid_command", message, retryable: false };
}
