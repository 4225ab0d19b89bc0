/** Which known names a mistyped one was probably meant to be, and how alike two short texts are. */

const comparedCharactersMax = 200;
const similarNameMin = 0.4;

/** The most similar first, at most `countMax`; none that is merely different, unless `anyHow`. */
export function nearNames(
  wanted: string,
  known: readonly string[],
  { countMax, anyHow = false }: { readonly countMax: number; readonly anyHow?: boolean },
): readonly string[] {
  return known
    .map((name) => ({ name, score: similarity(wanted, name) }))
    .filter(({ score }) => anyHow || score >= similarNameMin)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, countMax)
    .map(({ name }) => name);
}

/** Share of common pairs of letters, from 0 to 1; white space and case do not count. */
export function similarity(left: string, right: string): number {
  const first = comparable(left);
  const second = comparable(right);
  if (first === second) return 1;
  const pairs = new Map<string, number>();
  for (let index = 0; index < first.length - 1; index += 1) {
    const pair = first.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let index = 0; index < second.length - 1; index += 1) {
    const pair = second.slice(index, index + 2);
    const unmatched = pairs.get(pair) ?? 0;
    if (unmatched === 0) continue;
    pairs.set(pair, unmatched - 1);
    common += 1;
  }
  return (2 * common) / (first.length + second.length - 2);
}

/** Framed, so that the first and the last letter count as much as those between. */
function comparable(text: string): string {
  return `^${text.replaceAll(/\s+/g, "").slice(0, comparedCharactersMax).toLowerCase()}$`;
}
