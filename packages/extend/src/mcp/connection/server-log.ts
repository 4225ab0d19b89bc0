/** What a server printed to its standard error, and what happened to its connection: the newest lines, for people alone. */

export interface ServerLog {
  write(piece: string): void;
  /** A line of our own. */
  note(sentence: string): void;
  text(): string;
}

const charactersMax = 256 * 1024;
const lineCharactersMax = 4_000;

export function createServerLog(now: () => number): ServerLog {
  let lines: string[] = [];
  let length = 0;
  let rest = "";
  const add = (line: string) => {
    const kept = line.slice(0, lineCharactersMax);
    lines.push(kept);
    length += kept.length + 1;
    // Thrown away in halves, so that a flood costs no more than its own length.
    if (length <= charactersMax) return;
    lines = lines.slice(lines.length / 2);
    length = lines.reduce((sum, each) => sum + each.length + 1, 0);
  };
  return {
    write(piece) {
      const [first = "", ...others] = piece.split("\n");
      rest = (rest + first).slice(0, lineCharactersMax);
      for (const next of others) {
        add(rest);
        rest = next.slice(0, lineCharactersMax);
      }
    },
    note: (sentence) => add(`${new Date(now()).toISOString()} ${sentence}`),
    text: () => [...lines, ...(rest === "" ? [] : [rest])].join("\n"),
  };
}
