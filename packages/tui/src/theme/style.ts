/** Puts an escape code before a text and its counterpart behind it, so that styles can lie in each other. */

export type Style = (text: string) => string;

/**
 * The closing code ends every style of its kind. Where one inside the text does, the outer one is begun again behind it,
 * so that what follows looks like what came before.
 */
export function createStyle(open: string, close: string): Style {
  if (open === "") return (text) => text;
  const reopened = close + open;
  return (text) => {
    if (text === "") return "";
    return open + (text.includes(close) ? text.replaceAll(close, reopened) : text) + close;
  };
}

/** Weight, slant and lines: the same in all themes. */
export const plainStyles = {
  bold: createStyle("\u001b[1m", "\u001b[22m"),
  faint: createStyle("\u001b[2m", "\u001b[22m"),
  italic: createStyle("\u001b[3m", "\u001b[23m"),
  underline: createStyle("\u001b[4m", "\u001b[24m"),
  strikethrough: createStyle("\u001b[9m", "\u001b[29m"),
  inverse: createStyle("\u001b[7m", "\u001b[27m"),
} as const;
