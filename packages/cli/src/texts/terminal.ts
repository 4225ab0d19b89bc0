/** Texts of the terminal that are not the screen itself: clipboard, dropped files, the end of the engine. */

export const terminalTexts = {
  engineStopped: (problem: string | undefined) =>
    `The engine stopped${problem === undefined ? "" : `: ${problem.replace(/\.$/, "")}`}.`,
  engineOutOfMemory: "The engine ran out of memory. Raise the limit with NODE_OPTIONS=--max-old-space-size=<MB>.",
  noImage: "No readable image in the clipboard. Paste or drop a file path instead.",
  notAttached: (path: string) => `${path} could not be attached.`,
  noDirectory: "The current directory no longer exists.",
};
