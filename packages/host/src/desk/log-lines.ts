/** The newest lines of what the server and its clients had to say, without secrets. */
import type { LogLevel, QueryAnswers } from "@kedge/protocol";

type LogLine = QueryAnswers["log.read"]["lines"][number];

const linesKeptMax = 2_000;
const lineCharactersMax = 10_000;

export interface LogLines {
  write(level: LogLevel, text: string): void;
  newest(count: number): readonly LogLine[];
}

export function createLogLines(parts: {
  readonly now: () => number;
  readonly redact: (text: string) => string;
}): LogLines {
  const lines: LogLine[] = [];
  return {
    write(level, text) {
      lines.push({ time: parts.now(), level, text: parts.redact(text).slice(0, lineCharactersMax) });
      if (lines.length > linesKeptMax) lines.shift();
    },
    newest: (count) => lines.slice(-count),
  };
}
