/** The setting that lets kedge delete old sessions by itself; without it nothing is ever deleted unasked. */
import { object, said, wholeNumber } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type RetentionSettings = {
  /** Sessions that were not used for so long are deleted. */
  readonly days?: number;
  /** The oldest sessions are deleted while all of them together take more. */
  readonly sizeBytesMax?: number;
};

export const retentionSettings: SettingDeclarations = {
  retention: {
    check: object({
      days: said("Sessions that were not used for so long are deleted, once a day and without asking.", wholeNumber),
      sizeBytesMax: said("The oldest sessions are deleted while all of them together take more.", wholeNumber),
    }),
    project: ignored("a project may not delete your sessions"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readRetentionSettings(value: unknown): RetentionSettings | undefined {
  const { days, sizeBytesMax } = (value ?? {}) as { readonly [name in keyof RetentionSettings]?: number | null };
  if (typeof days !== "number" && typeof sizeBytesMax !== "number") return undefined;
  return {
    ...(typeof days === "number" && { days }),
    ...(typeof sizeBytesMax === "number" && { sizeBytesMax }),
  };
}
