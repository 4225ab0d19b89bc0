/** The setting that lets kedge delete old sessions by itself; without it nothing is ever deleted unasked. */
import { object, wholeNumber } from "../configuration/checks.ts";

export type RetentionSettings = {
  /** Sessions that were not used for so long are deleted. */
  readonly days?: number;
  /** The oldest sessions are deleted while all of them together take more. */
  readonly sizeBytesMax?: number;
};

export const retentionCheck = object({ days: wholeNumber, sizeBytesMax: wholeNumber });

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readRetentionSettings(value: unknown): RetentionSettings | undefined {
  const { days, sizeBytesMax } = (value ?? {}) as { readonly [name in keyof RetentionSettings]?: number | null };
  if (typeof days !== "number" && typeof sizeBytesMax !== "number") return undefined;
  return {
    ...(typeof days === "number" && { days }),
    ...(typeof sizeBytesMax === "number" && { sizeBytesMax }),
  };
}
