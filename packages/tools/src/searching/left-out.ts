/** Says how many files a search or a listing did not show because they may not be read. */

export function describeLeftOut(count: number): readonly string[] {
  if (count === 0) return [];
  return [`(${count} ${count === 1 ? "file" : "files"} left out: not readable under the permission rules)`];
}
