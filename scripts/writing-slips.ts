/** What a technical writer would not leave in a text, by a name and a pattern each. */
export const writingSlips: readonly (readonly [what: string, rule: RegExp])[] = [
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
  return writingSlips.filter(([, rule]) => rule.test(text)).map(([what]) => what);
}
