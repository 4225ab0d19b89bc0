/** The order in which a filtered list is shown: by how well each item matches, and among equals as the list was given. */

export type Ranked = {
  readonly label: string;
  /** Found by these words too. */
  readonly keywords?: string;
};

/**
 * Every word of the query must match. Matches are told apart coarsely, so that a list with the most recent items first
 * stays in that order wherever one item is as good as another.
 */
export function rank<Item extends Ranked>(items: readonly Item[], query: string): readonly Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items
    .flatMap((item) => {
      const grades = words.map((word) => gradeOf(word, item));
      // One that does not match makes the sum infinite.
      const grade = grades.reduce((sum, each) => sum + each, 0);
      return Number.isFinite(grade) ? [{ item, grade }] : [];
    })
    .sort((left, right) => left.grade - right.grade)
    .map(({ item }) => item);
}

/** The smaller the better. */
function gradeOf(typed: string, { label, keywords = "" }: Ranked): number {
  const name = label.toLowerCase().replace(/^\//, "");
  const word = typed === "/" ? typed : typed.replace(/^\//, "");
  const names = wordsOf(name);
  const others = wordsOf(keywords.toLowerCase());
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  if (others.includes(word)) return 2;
  if (names.some((each) => each.startsWith(word))) return 3;
  if (name.includes(word)) return 4;
  if (others.some((each) => each.startsWith(word))) return 5;
  return hasInOrder(name, word) ? 6 : Number.POSITIVE_INFINITY;
}

/** All letters of the word, in their order, with anything between them. */
function hasInOrder(name: string, word: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = name.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
