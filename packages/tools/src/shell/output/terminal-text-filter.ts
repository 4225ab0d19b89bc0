/** Takes terminal control out of a stream of text, also where a sequence is cut between two chunks. */

const stringBody = "[^\\u0000-\\u001f\\u007f-\\u009f]*";
/** All but tab, line feed and carriage return. */
const controls = "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]";
/** Whole sequences first, so that their parameters go with them. An unfinished one loses only its introducer. */
const unwanted = new RegExp(
  [
    // Commands with a text: titles, clipboard, links, device control.
    `(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])${stringBody}(?:\\u0007|\\u001b\\\\|\\u009c)`,
    // Colours, cursor movement, modes.
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    // Character sets and single functions.
    "\\u001b[ -/]+[0-~]",
    "\\u001b[0-~]",
    controls,
  ].join("|"),
  "gu",
);
const anyControl = new RegExp(controls);
const unfinished = new RegExp(`^\\u001b(?:\\[[0-?]*[ -/]*|[\\]PX^_]${stringBody}\\u001b?|[ -/]*)$`);
const carriedCharactersMax = 4_096;

/** Line ends and carriage returns stay. Use one filter per stream. */
export function createTerminalTextFilter(): (chunk: string) => string {
  let carried = "";
  return (chunk) => {
    if (carried === "" && !anyControl.test(chunk)) return chunk;
    const text = carried + chunk;
    const cut = unfinishedStart(text);
    carried = text.slice(cut);
    return text.slice(0, cut).replaceAll(unwanted, "");
  };
}

function unfinishedStart(text: string): number {
  const last = text.lastIndexOf("\u001b");
  if (last === -1 || text.length - last > carriedCharactersMax) return text.length;
  if (unfinished.test(text.slice(last))) {
    // The end mark of a command with a text begins with an escape of its own.
    const before = text.endsWith("\u001b") ? text.lastIndexOf("\u001b", last - 1) : -1;
    const isEndMark =
      before >= 0 && text.length - before <= carriedCharactersMax && unfinished.test(text.slice(before));
    return isEndMark ? before : last;
  }
  return text.length;
}
