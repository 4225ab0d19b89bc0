/** Knows texts of short ordinary words, in which no form of a secret can stand, without the table of forms. */

const charactersMax = 2_000;
const word = "[A-Z]?[a-z]{0,11}[,.?!;]?";
const words = new RegExp(`^(?:${word}[ \\n])*${word}$`);

/** What surroundings tell needs one of these. */
const context = /pass|pwd|secret|token|key|bearer|auth|cred|login|machine|curl|mysql|heroku|datadog|azdo|\bpat\b/i;

/** The table takes some milliseconds to make, which a run that says and does little need not spend. */
export function isPlainText(text: string): boolean {
  return text.length <= charactersMax && words.test(text) && !context.test(text);
}
