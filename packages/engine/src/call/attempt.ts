/** The one catch around what tools do: whatever they throw becomes a text that the model can read. */

const errorCharactersMax = 10_000;

export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly report: string };

export async function attempt<Value>(
  work: () => Promise<Value>,
  redact: (text: string) => string,
): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, report: reportOf(error, redact) };
  }
}

/** What the model reads of something thrown. */
export function reportOf(error: unknown, redact: (text: string) => string): string {
  return errorText(error instanceof Error ? error.message : textOf(error), redact);
}

/** Not everything that is thrown has a text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "unknown error";
  }
}

/** What the model sees of an error. */
export function errorText(message: string, redact: (text: string) => string): string {
  return redact(message).slice(0, errorCharactersMax);
}
