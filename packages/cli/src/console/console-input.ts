/** Typed or piped lines, one at a time, and the wish to interrupt. */
import { createInterface } from "node:readline";
import { writeResult } from "../output.ts";

export interface ConsoleInput {
  /** True when a person types; piped lines are instead taken one by one, each when it is asked for. */
  readonly isTyped: boolean;
  /** The next line that has arrived, or undefined. */
  take(): string | undefined;
  /** True once no further line will come. */
  ended(): boolean;
  /** Shows that a line is awaited. */
  invite(prompt: string): void;
  close(): void;
}

export type InputEvents = { readonly onChange: () => void; readonly onInterrupt: () => void };

export function openConsoleInput(
  environment: { readonly [name: string]: string | undefined },
  { onChange, onInterrupt }: InputEvents,
): ConsoleInput {
  const { stdin, stdout } = process;
  const isTyped = stdin.isTTY === true;
  const canEdit = isTyped && stdout.isTTY === true && environment["TERM"] !== "dumb";
  const reader = createInterface({ input: stdin, terminal: canEdit, ...(canEdit && { output: stdout }) });
  const lines: string[] = [];
  let isEnded = false;
  let invitation = "";
  reader.on("line", (line) => {
    lines.push(line);
    onChange();
  });
  reader.on("close", () => {
    isEnded = true;
    onChange();
  });
  reader.on("SIGINT", onInterrupt);
  process.on("SIGINT", onInterrupt);
  return {
    isTyped,
    take() {
      const line = lines.shift();
      if (line === undefined) return undefined;
      // A log of piped input should read like the conversation it was.
      if (!isTyped) writeResult(`${invitation}${line}\n`);
      invitation = "";
      return line;
    },
    ended: () => isEnded && lines.length === 0,
    invite(prompt) {
      if (invitation === prompt) return;
      invitation = prompt;
      if (canEdit) {
        reader.setPrompt(prompt);
        reader.prompt();
      } else if (isTyped) writeResult(prompt);
    },
    close() {
      process.off("SIGINT", onInterrupt);
      reader.close();
      stdin.destroy();
    },
  };
}
