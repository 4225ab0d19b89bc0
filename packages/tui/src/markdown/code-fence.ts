/** A fenced block while it streams: takes whole lines as they come and knows its own end. */

export type FenceHead = {
  readonly mark: string;
  /** Spaces before the fence, which its lines may have too. */
  readonly indent: number;
  readonly label: string;
};

export interface CodeFence {
  readonly label: string;
  /** Whole lines only, growing. */
  readonly lines: readonly string[];
  /** The line that is being written, unless it may still become the closing fence. */
  readonly openLine: string;
  readonly isClosed: boolean;
  /** Takes all whole lines and gives back what is not its own, or not a whole line yet. */
  take(text: string): string;
  /** Nothing more comes: the open line is the last one. */
  close(text: string): void;
}

/** A line without an end is taken in pieces, so that it is not worked on again with every delta. */
const openLineMax = 4096;
const fenceLine = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

export function fenceHeadOf(line: string): FenceHead | undefined {
  const [, indent = "", mark = "", label = ""] = fenceLine.exec(line) ?? [];
  return mark === "" ? undefined : { mark, indent: indent.length, label: label.trim() };
}

/** The fence that is still open where a text was cut, at any depth of lists. */
export function openFenceOf(text: string): FenceHead | undefined {
  let open: FenceHead | undefined;
  for (const line of text.split("\n")) {
    const [, lead = "", rest = ""] = /^((?: |[-*+] |\d{1,9}[.)] )*)(.*)$/.exec(line) ?? [];
    if (open !== undefined) {
      if (closes(rest, open.mark)) open = undefined;
      continue;
    }
    const head = fenceHeadOf(rest);
    if (head !== undefined) open = { ...head, indent: lead.length };
  }
  return open;
}

export function createCodeFence({ mark, indent, label }: FenceHead): CodeFence {
  const lines: string[] = [];
  let openLine = "";
  let isClosed = false;
  const strip = (line: string): string => {
    let spaces = 0;
    while (spaces < indent && line[spaces] === " ") spaces++;
    return line.slice(spaces);
  };
  const takeLine = (line: string): void => {
    const stripped = strip(line);
    if (closes(stripped, mark)) isClosed = true;
    else lines.push(stripped);
  };
  return {
    label,
    lines,
    get openLine() {
      return openLine;
    },
    get isClosed() {
      return isClosed;
    },
    take(text) {
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0 && !isClosed; end = text.indexOf("\n", from)) {
        takeLine(text.slice(from, end));
        from = end + 1;
      }
      while (!isClosed && text.length - from > openLineMax && text.indexOf("\n", from) < 0) {
        lines.push(text.slice(from, from + openLineMax));
        from += openLineMax;
      }
      const rest = text.slice(from);
      const stripped = strip(rest);
      openLine = isClosed || mayClose(stripped, mark) ? "" : stripped;
      return rest;
    },
    close(text) {
      if (text !== "") takeLine(text);
      openLine = "";
      isClosed = true;
    },
  };
}

function closes(line: string, mark: string): boolean {
  const text = line.replace(/^ {0,3}/, "").trimEnd();
  return text.startsWith(mark) && /^[`~]+$/.test(text);
}

function mayClose(line: string, mark: string): boolean {
  const text = line.replace(/^ {0,3}/, "");
  return text !== "" && (mark.startsWith(text) || closes(line, mark));
}
