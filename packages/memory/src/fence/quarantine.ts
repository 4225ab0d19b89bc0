/** Recognises texts that would make a later reader run, send or permit something: they are kept apart until a person looks. */
import { textBeside } from "@kedge/protocol/text-file";

type Suspicion = { readonly pattern: string; readonly why: string };

/** Checked by the test of this module. */
const suspicions = (JSON.parse(textBeside(import.meta.url, "./quarantine.json")) as readonly Suspicion[]).map(
  ({ pattern, why }) => ({ expression: new RegExp(pattern, "iu"), why }),
);

/** Why the text is suspicious, or undefined. */
export function quarantineReason(text: string): string | undefined {
  return suspicions.find(({ expression }) => expression.test(text))?.why;
}
