/** Keeps the library of the protocol from printing: its warnings repeat words of servers, and the terminal is not theirs. */

const mark = "[mcp-sdk]";
let isQuiet = false;

/** Once for the process, before the library is loaded. Other warnings are printed as before. */
export function quietLibrary(): void {
  if (isQuiet) return;
  isQuiet = true;
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (typeof words[0] !== "string" || !words[0].startsWith(mark)) warn(...words);
  };
}
