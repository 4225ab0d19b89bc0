/** What no text that people read may have: words of another age, and slips that a technical writer would correct. */

export const bannedWords: readonly RegExp[] = [
  /\bgo(?:es)? on with\b/i,
  /\b(?:brings|takes|taken|take) (?:it )?(?:again|back)\b/i,
  /\bmend(?:s|ed|ing)?\b/i,
  /\bwhom\b/i,
  /\banew\b/i,
  /\b(?:is|are|was|were) dear\b/i,
  /\b(?:is|are) told\b/i,
  /\bleft in peace\b/i,
  /\bcannot be had\b/i,
  /\bis none of\b/i,
  /\bis called so\b/i,
  /\b(?:and|of) (?:its|their) kin\b/i,
  /\bat most so many\b/i,
  /\bshall think\b/i,
  /\bneeds permission:/,
  /\bmust not harm\b|\b(?:before )?it harms\b/i,
  /(?<!\bthere )\b(?:is|are) no (?:export|JSON|file|directory|address|key|URL)\b/i,
  /\bthe model's sight\b/i,
  /\bkedge says (?:what|which|how|why)\b/i,
  /\bof (?:its|their|your|our) own\b/i,
  /\bto be had\b|\bfor ever\b|\bmakes? no sense\b/i,
  /\b(?:team|teammate|file|server|session) called\b/i,
  /\b(?:names|named) no\b|\bis no (?:failure|name)\b/i,
];

export const slips: readonly (readonly [what: string, rule: RegExp])[] = [
  [
    "a count that does not agree",
    /(?<!-)\b1 (?:files|lines|turns|sessions|tokens|calls|models|agents|prompts|messages)\b/,
  ],
  ["a plural in brackets", /\w\(e?s\)(?=[\s.,;:!?]|$)/],
  ["two blanks between words", /^(?!.*\\n)[^\n]*[a-z,;] {2}[a-z][^\n]*$/],
  ["a blank before punctuation", /[a-z] [,;](?:\s|$)|[a-z] [.!?]$/],
  ["a doubled word", /\b(the|a|an|of|to|in|is|and|or|for|with) \1\b/i],
  ["an apology or a please", /\b(?:sorry|apologi[sz]e|please|oops)\b/i],
  [
    "British spelling",
    /\b(?:colour|behaviour|favourite|cancelled|summaris|authoris|recognis|organis|analyse[ds]?\b)\w*/,
  ],
];

export function slipsIn(text: string): readonly string[] {
  return slips.filter(([, rule]) => rule.test(text)).map(([what]) => what);
}
