/** A text of TOML with the place that was read up to. */

/** Thrown inside of the reader alone, which makes an outcome of it. */
export class TomlProblem extends Error {}

export type TomlText = {
  /** Counted from 1. */
  line(): number;
  isEnd(): boolean;
  /** The next characters; fewer at the end. */
  peek(length?: number): string;
  /** What matches here, for a sticky expression; undefined and not moved where nothing does. */
  take(form: RegExp): string | undefined;
  /** Up to these characters, which are passed; behind a backslash none of them counts. */
  takeUntil(end: string, options: { readonly hasEscapes: boolean; readonly hasLines: boolean }): string;
  expect(characters: string): void;
  /** Spaces and tabs. */
  skipBlanks(): void;
  /** Blanks, line ends and comments. */
  skipLines(): void;
  /** Only blanks and a comment may follow on the line. */
  endLine(): void;
};

export function createTomlText(source: string): TomlText {
  let at = 0;
  const text: TomlText = {
    line: () => source.slice(0, at).split("\n").length,
    isEnd: () => at >= source.length,
    peek: (length = 1) => source.slice(at, at + length),
    take(form) {
      form.lastIndex = at;
      const found = form.exec(source)?.[0];
      at += found?.length ?? 0;
      return found;
    },
    takeUntil(end, { hasEscapes, hasLines }) {
      const start = at;
      for (; at < source.length && !source.startsWith(end, at); at += 1) {
        if (source[at] === "\n" && !hasLines) break;
        if (source[at] === "\\" && hasEscapes) at += 1;
      }
      if (!source.startsWith(end, at)) throw new TomlProblem("unterminated string");
      // A quote may stand before the closing ones.
      while (end.length > 1 && source.startsWith(end, at + 1)) at += 1;
      at += end.length;
      return source.slice(start, at - end.length);
    },
    expect(characters) {
      if (!source.startsWith(characters, at)) throw new TomlProblem(`${JSON.stringify(characters)} was expected`);
      at += characters.length;
    },
    skipBlanks: () => void text.take(/[ \t]*/y),
    skipLines() {
      while (text.take(/[ \t\r\n]+|#[^\n]*/y));
    },
    endLine() {
      text.take(/[ \t]*(?:#[^\n]*)?\r?/y);
      if (at < source.length && source[at] !== "\n") throw new TomlProblem("expected end of line");
    },
  };
  return text;
}
