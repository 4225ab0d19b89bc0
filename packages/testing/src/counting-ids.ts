/** Ids that count, so that every test run sees the same ones: `ses_1`, `run_1`, `run_2`. */

type CountingIds = {
  readonly newId: (prefix: string) => string;
  /** In the form of a UUID, as request ids are. */
  readonly newRequestId: () => string;
};

export function createCountingIds(): CountingIds {
  const counts = new Map<string, number>();
  const next = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return count;
  };
  return {
    newId: (prefix) => `${prefix}${next(prefix)}`,
    newRequestId: () => `00000000-0000-4000-8000-${String(next("request")).padStart(12, "0")}`,
  };
}
