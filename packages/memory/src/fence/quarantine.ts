/** Recognises texts that would make a later reader run, send or permit something: they are kept apart until a person looks. */
import { textBeside } from "@kedge/protocol/text-file";

type Suspicion = { readonly pattern: string; readonly why: string };

/** Made with the first text, because a start has none to look at. */
let suspicions: readonly { readonly expression: RegExp; readonly why: string }[] | undefined;

/** Why the text is suspicious, or undefined. */
export function quarantineReason(text: string): string | undefined {
  suspicions ??= readSuspicions();
  return suspicions.find(({ expression }) => expression.test(text))?.why;
}

function readSuspicions() {
  // Our own file, which the test of this module checks.
  const rows = JSON.parse(textBeside(import.meta.url, "./quarantine.json")) as readonly Suspicion[];
  return rows.map(({ pattern, why }) => ({ expression: new RegExp(pattern, "imu"), why }));
}
