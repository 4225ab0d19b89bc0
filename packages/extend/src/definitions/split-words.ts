/** Splits what a user typed behind a command into words, as a shell would read quotes. */

const wordForm = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:\\.|[^\s"'\\])+)|(["'\\])/gs;

/** A quote that is not closed is a character like any other. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let end = -1;
  for (const match of text.matchAll(wordForm)) {
    const [whole, double, single, plain, stray] = match;
    const part = double?.replace(/\\(["\\])/g, "$1") ?? single ?? plain?.replace(/\\(.)/gs, "$1") ?? stray ?? "";
    if (match.index === end) words[words.length - 1] += part;
    else words.push(part);
    end = match.index + whole.length;
  }
  return words;
}

/** A word that a shell reads as this text and nothing else. */
export function quoteWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
