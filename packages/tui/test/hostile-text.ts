/** What somebody would print who wants to steer the terminal of a user, and random mixtures of it. */
import type { SeededRandom } from "@kedge/testing";

const escapeCode = "\u001b";
const ends = ["\u0007", `${escapeCode}\\`, "\u009c"] as const;
const commands = [
  ...["0;a title", "2;a title", "7;file:///etc", "9;a message", "52;c;cm0gLXJmIC8=", "11;#000000", "104", "112"],
  ...["133;A", "133;B", "133;C", "777;notify;a;b", "1337;SetMark", "1337;File=inline=1:AAAA", "8;;https://x.example"],
];
const introducers = [`${escapeCode}]`, "\u009d"] as const;

/** Whole sequences: what is between two of them is no part of either. */
export const hostileSequences: readonly string[] = [
  ...commands.flatMap((command) => introducers.flatMap((begin) => ends.map((end) => `${begin}${command}${end}`))),
  // Cursor, erasing, modes, scrolling, reports, resets: with either introducer.
  ...["H", "1;1H", "2J", "3J", "K", "2K", "5A", "9B", "80C", "40D", "4G", "3d", "s", "u", "2S", "2T", "4L", "4M", "9P"]
    .concat(["?1049h", "?1049l", "?25h", "?25l", "?2004l", "?2026h", "?2026l", "?1003h", "?1006h", "?7h", "?5h", "4h"])
    .concat(["6n", "c", ">c", "14t", "8;5;5t", "?u", ">1u", "<u", ">4;2m", "!p", "31m", "8m", "38;5;9m", "0 q", "r"])
    .flatMap((rest) => [`${escapeCode}[${rest}`, `\u009b${rest}`]),
  // Exactly what our own frames are made of.
  `${escapeCode}[1;1H${escapeCode}[2K`,
  `${escapeCode}_pi:c\u0007`,
  `${escapeCode}P1$r0m${escapeCode}\\`,
  `${escapeCode}Pq#0;2;0;0;0~~${escapeCode}\\`,
  `\u0090+q544e\u009c`,
  `${escapeCode}_Ga=T,f=24;AAAA${escapeCode}\\`,
  `${escapeCode}^private${escapeCode}\\`,
  `${escapeCode}Xstring${escapeCode}\\`,
  ...["c", "7", "8", "D", "E", "M", "=", ">", "N", "O", "Z", "(0", "#8", "%G", " F"].map((rest) => escapeCode + rest),
  ...[
    "\u0000",
    "\u0007",
    "\b",
    "\b\b\b\b\b\b",
    "\u000b",
    "\f",
    "\u000e",
    "\u000f",
    "\u0011",
    "\u007f",
    "\u0085",
    "\u0084",
  ],
  // Marks that reorder text, take no room or carry a hidden one.
  ...["\u202a", "\u202e", "\u202c", "\u2066", "\u2069", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u061c"],
  ...["\u2060", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164", "\u180e", "\ufff9", "\u{e0041}\u{e0042}\u{e007f}"],
];

/** Beginnings without an end, and other pieces: these may take in what follows, up to the next line. */
const loosePieces: readonly string[] = [
  ...[
    escapeCode,
    `${escapeCode}[`,
    `${escapeCode}]0;`,
    `${escapeCode}P`,
    `${escapeCode}_`,
    "\u009b",
    "\u009d",
    "\u0090",
  ],
  ...[`${escapeCode}[38;2;`, `${escapeCode}]52;c;`, "\r", "\r\n", "\r\r", "\t", "\ud83d", "\ude00", "\ufffd"],
  ...[
    "日本語",
    "👨‍👩‍👧",
    "🇩🇪",
    "e\u0301\u0301\u0301",
    "x".repeat(500),
    "字".repeat(200),
    "**",
    "```",
    "# ",
    "| a | b |\n|--|--|\n",
    "> ",
  ],
];

export function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  const value = values[random.below(values.length)];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
}

/** The words in their order, with whole sequences between them: each of them must be seen. */
export function betweenWords(random: SeededRandom, words: readonly string[]): string {
  const between = () => Array.from({ length: 1 + random.below(3) }, () => pick(random, hostileSequences)).join("");
  return words.map((word) => `${between()}${word} `).join("") + between();
}

/** Anything at all; nothing is asked of it but that it does no harm. */
export function anything(random: SeededRandom): string {
  const pieces = [...hostileSequences, ...loosePieces, "\n", " word "];
  return Array.from({ length: 1 + random.below(14) }, () => pick(random, pieces)).join("");
}

/** Cut at random, or at every place there is. */
export function inPieces(random: SeededRandom, text: string): readonly string[] {
  if (random.below(3) === 0) return text.split("");
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.below(12);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
