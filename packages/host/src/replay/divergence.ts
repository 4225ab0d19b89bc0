/** Where a replay and its record part, said so that a person finds the place. */

export type DivergenceKind =
  /** The record is not as it was written. */
  | "record"
  /** The model would be asked something else. */
  | "request"
  /** The step begins with other prompts, reminders or another model. */
  | "step"
  /** A tool gives another result. */
  | "tool"
  /** The run ends differently. */
  | "run";

export type Divergence = {
  /** The number of the fact in the record. */
  readonly seq: number;
  readonly kind: DivergenceKind;
  /** What differs, in one sentence. */
  readonly what: string;
  readonly expected: string;
  readonly got: string;
};

/** How much of two texts is shown around the first place where they differ. */
const shownBefore = 40;
const shownAfter = 120;

/** The same window of both texts, from a little before the first difference on. */
export function differingPart(expected: string, got: string): { readonly expected: string; readonly got: string } {
  let first = 0;
  while (first < expected.length && first < got.length && expected[first] === got[first]) first += 1;
  const start = Math.max(0, first - shownBefore);
  const window = (text: string) => {
    const end = Math.min(text.length, first + shownAfter);
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  };
  return { expected: window(expected), got: window(got) };
}
