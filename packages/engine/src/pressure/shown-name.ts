/** A command or the name of a test as evidence shows it. */

const nameCharactersMax = 120;

export function shownName(text: string): string {
  return text.length > nameCharactersMax ? `${text.slice(0, nameCharactersMax)}…` : text;
}
