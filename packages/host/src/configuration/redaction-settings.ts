/** The setting that says what is taken out of the results of tools beside the keys that kedge itself uses. */
import { flag, object, said } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

export type RedactionSettings = {
  /** Whether results of tools lose what has the form of a secret. */
  readonly formats: boolean;
};

export const redactionSettings: SettingDeclarations = {
  redaction: {
    check: object({
      formats: said(
        "Redact tokens, keys and passwords from tool output before the model sees it and before it is stored. Keys that kedge itself uses are always redacted, and exports always redact both.",
        flag,
        true,
      ),
    }),
    project: ignored("a project may not show your secrets to a model"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readRedactionSettings(value: unknown): RedactionSettings {
  const { formats } = (value ?? {}) as { readonly formats?: boolean | null };
  return { formats: formats ?? true };
}
