/** The setting that lets kedge delete old sessions by itself; without it nothing is ever deleted unasked. */
import { object, said, wholeNumber } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type RetentionSettings = {
  /** Sessions that were not used for so long are deleted. */
  readonly days?: number;
  /** Delete the oldest sessions while all sessions together exceed this size. */
  readonly sizeBytesMax?: number;
};

export const retentionSettings: SettingDeclarations = {
  retention: {
    check: object({
      days: said("Delete sessions unused for this many days, once a day, without asking.", wholeNumber),
      sizeBytesMax: said("Delete the oldest sessions while all sessions together exceed this size.", wholeNumber),
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
