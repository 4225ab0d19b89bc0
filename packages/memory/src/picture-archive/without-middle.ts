/** Leaves out the middle of a text that is too long, and says how much. */
const headShare = 0.6;

/** What the note may need beyond the characters that are kept. */
export const noteCharacters = 60;

/** Lines are not looked at: on a frame they have no ends. */
export function withoutMiddle(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, Math.floor(charactersMax * headShare)).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(text.length - (charactersMax - head.length)).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n[… ${text.length - head.length - end.length} characters left out …]\n${end}`;
}
