/** Which known names a mistyped one was probably meant to be. */

const suggestionsMax = 3;

/** Closest first; none when nothing is close. */
export function nearestNames(wanted: string, known: readonly string[]): readonly string[] {
  const distanceMax = Math.max(2, Math.floor(wanted.length / 3));
  return known
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, suggestionsMax)
    .map(({ name }) => name);
}

/** The number of characters to insert, remove or replace. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
