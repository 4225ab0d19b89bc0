/** A screen as a snapshot keeps it: its rows, and where asked for how each piece of them looks. */
import type { Cell, ScreenTerminal } from "@kedge/testing/screen-terminal";

/** The rows without what differs from run to run; blanks at their ends stay away. */
export function rowsText(screen: readonly string[]): string {
  return `\n${screen.map((row) => `│${masked(row)}`).join("\n")}\n`;
}

/** Times, durations, ids, places and amounts, each by a word of the same kind that takes the same room. */
function masked(row: string): string {
  const as = (word: string) => (found: string) => word.padEnd(found.length);
  return row
    .replaceAll(/kedge-scene-\w+/g, (found) => "kedge-scene-".padEnd(found.length, "0"))
    .replaceAll(/\b\d+\/\d+\b/g, as("n/m"))
    .replaceAll(/\b\d+ of \d+(?= *│)/g, as("n of m"))
    .replaceAll(/\b\d+ entries\b/g, as("n entries"))
    .replaceAll(/127\.0\.0\.1:\d+/g, as("127.0.0.1:0"))
    .replaceAll(/ses_\w+/g, as("ses_id"))
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, as("0 s"))
    .replaceAll(/\b\d\d:\d\d(?= · )/g, as("00:00"))
    .replaceAll(/\$\d+(?:\.\d+)?/g, as("$0"))
    .replaceAll(/\b\d+(?:\.\d+)?k?(?= of \d+k| tokens)/g, as("N"))
    .replaceAll(/\b\d+ %/g, as("0 %"))
    .trimEnd();
}

const lettersOfLooks = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * A letter and a count for each run of cells that look alike; a dot for those that look like nothing. Below them what
 * the letters mean. A row with something that differs from run to run has no counts.
 */
export function looksText(terminal: Pick<ScreenTerminal, "cells" | "screen">): string {
  const letters = new Map<string, string>();
  const letterOf = (look: string) => {
    if (look === "") return ".";
    const known = letters.get(look) ?? lettersOfLooks[letters.size] ?? "?";
    letters.set(look, known);
    return known;
  };
  const screen = terminal.screen();
  const rows = terminal.cells().map((cells, index) => {
    const text = (screen[index] ?? "").trimEnd();
    const isCounted = masked(text) === text;
    return runsOf(cells, letterOf)
      .map(({ letter, count }) => (isCounted ? `${letter}${count}` : letter))
      .join(" ");
  });
  const legend = [...letters].map(([look, letter]) => `${letter} ${look}`);
  return `\n${[...rows, ...legend].join("\n")}\n`;
}

type Run = { readonly letter: string; count: number };

function runsOf(cells: readonly Cell[], letterOf: (look: string) => string): readonly Run[] {
  const runs: Run[] = [];
  for (const cell of cells) {
    const letter = letterOf(lookOf(cell));
    const last = runs.at(-1);
    if (last?.letter === letter) last.count += 1;
    else runs.push({ letter, count: 1 });
  }
  return runs;
}

function lookOf(cell: Cell): string {
  // A blank shows its background only.
  const isBlank = cell.text.trim() === "" && !cell.isInverse && !cell.isUnderlined;
  const words = [
    !isBlank && cell.foreground,
    cell.background !== undefined && `on ${cell.background}`,
    !isBlank && cell.isBold && "bold",
    !isBlank && cell.isDim && "dim",
    !isBlank && cell.isItalic && "italic",
    cell.isUnderlined && "underlined",
    cell.isInverse && "inverse",
    !isBlank && cell.isStruck && "struck",
  ];
  return words.filter(Boolean).join(" ");
}
