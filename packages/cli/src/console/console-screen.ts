/** Writes the console's text: streamed pieces and whole lines, never mixed on one line. */
import { stripTerminalControls } from "@kedge/protocol";
import { writeFlowing } from "../output.ts";

export interface ConsoleScreen {
  /** A piece of an answer as it arrives. */
  stream(text: string): void;
  /** Whole lines, already fit for a terminal; on a line of their own. */
  lines(text: string): void;
  /** Ends a line that a stream left open. */
  endLine(): void;
}

export function openConsoleScreen({ onReaderGone }: { readonly onReaderGone: () => void }): ConsoleScreen {
  let isLineOpen = false;
  let isGone = false;
  const write = (text: string) => {
    if (writeFlowing(text) === "written" || isGone) return;
    isGone = true;
    onReaderGone();
  };
  const endLine = () => {
    if (isLineOpen) write("\n");
    isLineOpen = false;
  };
  return {
    stream(text) {
      if (text === "") return;
      write(stripTerminalControls(text));
      isLineOpen = !text.endsWith("\n");
    },
    lines(text) {
      if (text === "") return;
      endLine();
      write(text);
    },
    endLine,
  };
}
