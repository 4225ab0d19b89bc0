/** The redactor of everything that leaves the machine: the shared one, secret variables, and the user's own list. */

/** One entry of the user's list of secrets. */
export type SecretEntry = {
  readonly type: "plain" | "regex";
  readonly content: string;
  /** `replace` leaves a text of the same length, which does not say that anything was there. */
  readonly mode?: "obfuscate" | "replace";
  readonly replacement?: string;
  /** Of a regular expression. */
  readonly flags?: string;
};

export type ExportRedactorParts = {
  readonly redact: (text: string) => string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly secrets: readonly SecretEntry[];
};

export type ExportRedactor =
  | { readonly ok: true; readonly redact: (text: string) => string }
  | { readonly ok: false; readonly sentence: string };

const secretName = /KEY|SECRET|TOKEN|PASS|AUTH|CREDENTIAL|PRIVATE|OAUTH/i;
const secretCharactersMin = 8;

type Replacement = (text: string) => string;

/** Fails on a regular expression that cannot be read, because going on without it would let its secrets out. */
export function createExportRedactor({ redact, environment, secrets }: ExportRedactorParts): ExportRedactor {
  const replacements: Replacement[] = [];
  for (const [index, entry] of secrets.entries()) {
    const read = readEntry(entry);
    if (read === undefined) {
      const sentence = `Entry ${index + 1} of the secret list is not a valid regular expression. Fix it and export again.`;
      return { ok: false, sentence };
    }
    replacements.push(read);
  }
  for (const value of secretValues(environment)) {
    replacements.push((text) => text.replaceAll(value, "[REDACTED:variable]"));
  }
  return { ok: true, redact: (text) => redact(replacements.reduce((redacted, replace) => replace(redacted), text)) };
}

function readEntry({ type, content, mode, replacement, flags = "" }: SecretEntry) {
  const standIn = (found: string) =>
    replacement ?? (mode === "replace" ? "*".repeat(found.length) : "[REDACTED:secret]");
  if (content === "") return (text: string) => text;
  if (type === "plain") return (text: string) => text.replaceAll(content, standIn);
  try {
    const pattern = new RegExp(content, [...new Set(`${flags}g`.replace("y", ""))].join(""));
    return (text: string) => text.replace(pattern, standIn);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The longest first, because one may be the beginning of another; also as they stand inside of JSON texts. */
export function secretValues(environment: ExportRedactorParts["environment"]): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < secretCharactersMin || !secretName.test(name)) continue;
    values.add(value);
    values.add(JSON.stringify(value).slice(1, -1));
  }
  return [...values].sort((left, right) => right.length - left.length);
}
