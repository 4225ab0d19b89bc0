/** What comes from outside as it may stand in the prompt: no control sequence and no hidden mark, but whole emoji and tabs. */
import { stripTerminalControls } from "@kedge/protocol";

/**
 * Characters that stand for attachments (see `attachment-tokens.ts`) come from us alone. They are at the far end of the
 * last private plane, where no font has signs.
 */
export const firstTokenCode = 0x10f000;
export const lastTokenCode = 0x10fffd;
const everyToken = /[\u{10f000}-\u{10fffd}]/gu;

/** Emoji are joined by marks that are unsafe elsewhere, and so are some letters of Persian and Indic writing. */
function joinedSigns(): RegExp {
  // Made for the few texts that have such marks: the emoji alone take 10 ms.
  return /(\p{RGI_Emoji}|(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L}))/v;
}

export function promptText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replaceAll(everyToken, "");
  const stripped = stripTerminalControls(lines);
  if (stripped === lines) return lines;
  return lines
    .split(joinedSigns())
    .map((part, index) => (index % 2 === 1 ? part : stripTerminalControls(part)))
    .join("");
}

/** Only what the user typed at the beginning runs in their shell; a text from elsewhere gets a blank in front. */
export function notACommand(text: string): string {
  return text.startsWith("!") ? ` ${text}` : text;
}

export function withoutTokens(text: string): string {
  return text.replaceAll(everyToken, "");
}

/** A grapheme as it is drawn. A mark without a letter gets a circle to stand on, or it would join the cell before it. */
export function drawnGrapheme(grapheme: string): string {
  if (grapheme === "\t") return "    ";
  return /^\p{M}/u.test(grapheme) ? `◌${grapheme}` : grapheme;
}
