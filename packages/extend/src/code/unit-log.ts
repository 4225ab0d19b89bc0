/** What a file of code says: the newest lines of it, and notices for the user, as long as they are few and short. */

const logLinesMax = 200;
const noticesMax = 50;
const noticeCharactersMax = 500;

export type UnitLog = {
  readonly lines: () => readonly string[];
  readonly add: (level: string, text: string) => void;
  /** Nobody reads more, and a loop would fill the screen. */
  readonly notify: (text: string) => void;
};

export function createUnitLog(name: string, onNotice: (sentence: string) => void): UnitLog {
  const lines: string[] = [];
  let notices = 0;

  function notify(text: string): void {
    notices += 1;
    if (notices <= noticesMax) onNotice(`${name}: ${text.slice(0, noticeCharactersMax)}`);
  }

  return {
    lines: () => lines,
    add(level, text) {
      if (level === "notice") notify(text);
      lines.push(`${level}: ${text}`);
      if (lines.length > logLinesMax) lines.shift();
    },
    notify,
  };
}
