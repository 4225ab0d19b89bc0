/** For tests: what a painted line may hold, and what is left of it without styles. */

/** The styles that our themes use, and no other control character. */
const styleCode = "\\u001b\\[(?:0|1|2|3|4|7|9|22|23|24|27|29|39|49|3[0-7]|4[0-7]|[34]8;5;\\d+|[34]8;2;\\d+;\\d+;\\d+)m";

export const allowedLine = new RegExp(`^(?:${styleCode}|[^\\u0000-\\u001f\\u007f-\\u009f])*$`, "u");

export function stripStyles(line: string): string {
  return line.replaceAll(new RegExp(styleCode, "g"), "");
}
