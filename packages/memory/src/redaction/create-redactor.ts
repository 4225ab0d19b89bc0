/** The one redactor: puts `[REDACTED:<kind>]` in place of secrets before text reaches a model, a log, an event or disk. */
import type { RedactionStream, Redactor } from "@kedge/protocol";
import { createSecretFinder, type SecretFinder } from "./find-secrets.ts";
import { createRedactionStream } from "./redaction-stream.ts";
import { replaceSpans } from "./replace-spans.ts";

export type RedactorOptions = {
  /** Values that are secrets wherever they stand; a list that may only grow. */
  readonly values: () => readonly string[];
  /** False leaves what only has the form of a secret. */
  readonly formats?: boolean;
};

/** Shorter ones are found in words that mean nothing. */
const valueCharactersMin = 6;

/** What it needs is made with the first text. */
export function createRedactor({ values, formats = true }: RedactorOptions): Redactor {
  let finder: SecretFinder | undefined;
  let known = -1;

  function current(): SecretFinder {
    const list = values();
    if (finder === undefined || known !== list.length) {
      known = list.length;
      finder = createSecretFinder({ values: spellings(list), formats });
    }
    return finder;
  }

  return {
    redact: (text) => replaceSpans(text, current().find(text)),
    open: (): RedactionStream => createRedactionStream((text) => current().findOpen(text)),
  };
}

/** As they are, and as they stand inside of JSON and of URLs. The longest first, since one may begin another. */
function spellings(values: readonly string[]): readonly string[] {
  const long = values.filter((value) => value.length >= valueCharactersMin);
  const spelled = long.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
  ]);
  return [...new Set(spelled)].sort((left, right) => right.length - left.length);
}
