/** The words by which two topics are found to speak of the same thing. */

const stopWords: ReadonlySet<string> = new Set(
  `about above after again all also always and any apply are because been before being below both but can cannot could
  did does doing done down during each else ever every few fact for from further had has have having here how however
  into its itself just kept later let like made make makes many may might more most much must need never new not now off
  old once one only other our out over own per please project repo repository same see should since some such team than
  that the their them then there these they this those through too two under until used user uses using very want was
  way were what when where which while who why will with within without work would you your`
    .trim()
    .split(/\s+/),
);

const charactersMin = 3;
const keywordsMax = 200;

/** Lower-case, without plurals and endings that only grammar needs. */
export function keywordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? [];
  const kept = words.filter((word) => word.length >= charactersMin && !stopWords.has(word) && !/^[\d.-]+$/.test(word));
  return new Set(kept.map(stemOf).slice(0, keywordsMax));
}

function stemOf(word: string): string {
  if (word.length <= charactersMin + 1) return word;
  return word.replace(/(?:ies)$/, "y").replace(/(?<=\w{3})(?:ing|ed|es|s)$/, "");
}

export function sharedCount(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}
