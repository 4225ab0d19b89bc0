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
        "Whether tool results lose what looks like a token, key or password before the model sees them and they are stored. Keys kedge itself uses are always removed, and exports always lose both.",
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
