/** What a server says while it works on a call: one line of plain text each, and not more of them than anybody could read. */
import { stripTerminalControls, type ToolContext } from "@kedge/protocol";

export type Progress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

const gapMs = 200;
const charactersMax = 200;

/** A server may tell of every byte: what comes too soon is left out. */
export function progressWriter({ write }: Pick<ToolContext["sink"], "write">, now: () => number) {
  let lastMs = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }: Progress): void => {
    if (now() - lastMs < gapMs) return;
    lastMs = now();
    const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
    write(`${message === undefined ? count : `${count}: ${shownWord(message)}`}\n`, "stdout");
  };
}

export function shownWord(text: string): string {
  // Twice as much as is shown, since what is taken out may be most of it.
  const plain = stripTerminalControls(text.slice(0, 2 * charactersMax)).replaceAll(/\s+/g, " ");
  return plain.slice(0, charactersMax).toWellFormed();
}
