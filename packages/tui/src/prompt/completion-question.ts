/** What the text before the cursor asks to be completed, and the text with an answer put in. */

export type CompletionKind = "command" | "file";
export type CompletionItem = {
  /** Without the sign that began it; a directory ends with a slash. */
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
};

export type CompletionQuestion = {
  readonly kind: CompletionKind;
  /** What was typed behind the sign. */
  readonly text: string;
  /** Where the sign stands. */
  readonly start: number;
};

/** Farther back than this no path begins. */
const lookBackMax = 1_024;

export function completionQuestion(text: string, cursor: number): CompletionQuestion | undefined {
  const before = text.slice(Math.max(0, cursor - lookBackMax), cursor);
  const file = /(?:^|[\s([{,;:'"])@(?:"([^"\n]*)|([^\s"]*))$/.exec(before);
  if (file !== null) {
    const typed = file[1] ?? file[2] ?? "";
    const signLength = file[1] === undefined ? 1 : 2;
    return { kind: "file", text: typed, start: cursor - typed.length - signLength };
  }
  // An argument is asked for from its first letter on, so that Enter behind a whole command sends it.
  const command = cursor <= lookBackMax ? /^\/(\S*|[\w:.-]+ \S[^\n]*)$/.exec(before) : null;
  return command === null ? undefined : { kind: "command", text: command[1] ?? "", start: 0 };
}

/** What stands in the place of the question from its start to the cursor. Into a directory one may go on typing. */
export function completedText(question: CompletionQuestion, { value }: CompletionItem): string {
  switch (question.kind) {
    case "command":
      return `/${value} `;
    case "file": {
      const isDirectory = value.endsWith("/");
      if (/\s/.test(value)) return isDirectory ? `@"${value}` : `@"${value}" `;
      return isDirectory ? `@${value}` : `@${value} `;
    }
  }
}
