/** Draws a link as a QR code for a terminal: two rows of dots in each line of text. */
import { encode } from "uqr";

const halves = [" ", "▄", "▀", "█"] as const;

/** Light dots are drawn, so that it reads on a dark terminal as it should; the border keeps it readable on a light one. */
export function qrText(link: string): string {
  const { data } = encode(link, { ecc: "L", border: 2 });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const line = (data[row] ?? []).map((isDark, column) => {
      const isDarkBelow = data[row + 1]?.[column] ?? false;
      return halves[(isDark ? 0 : 2) + (isDarkBelow ? 0 : 1)];
    });
    lines.push(line.join(""));
  }
  return `${lines.join("\n")}\n`;
}
