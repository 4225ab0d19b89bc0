/** Reads the texts of here-documents, which begin behind the line end that follows the command. */
import { readHereText } from "./read-expansion.ts";
import { createReader, fail, type HereDocument, moveTo, type Reader } from "./reader.ts";
import type { Word } from "./script.ts";

/** The reader stands at a line end outside of words. */
export function readLineEnd(reader: Reader): void {
  if (reader.isLineEndUnclear) fail(reader, "A line ends where a here-document may begin.");
  reader.at += 1;
  const documents = reader.pending;
  if (documents.length === 0) return;
  reader.pending = [];
  for (const document of documents) document.body = readBody(reader, document);
}

function readBody(reader: Reader, document: HereDocument): Word {
  let text = "";
  while (reader.at < reader.text.length) {
    const line = readLine(reader, document);
    if (line.joined === document.delimiter) return toWord(reader, document, text);
    // Bash takes such a line for the end of the document and goes on reading commands behind the delimiter.
    if (reader.substitutions > 0 && line.joined.startsWith(document.delimiter) && line.joined.includes(")"))
      fail(reader, "A here-document ends in an unclear way.");
    text += line.raw;
  }
  fail(reader, "A here-document is not terminated.");
  return toWord(reader, document, "");
}

type Line = {
  /** As it is compared with the delimiter. */
  readonly joined: string;
  readonly raw: string;
};

/** In a document that is expanded, a backslash joins lines even where this forms the delimiter. */
function readLine(reader: Reader, document: HereDocument): Line {
  let joined = "";
  let raw = "";
  for (let isFirst = true; ; isFirst = false) {
    const found = reader.text.indexOf("\n", reader.at);
    const end = found === -1 ? reader.text.length : found;
    const written = reader.text.slice(reader.at, end);
    const line = document.stripsTabs && isFirst ? written.replace(/^\t+/, "") : written;
    moveTo(reader, Math.min(end + 1, reader.text.length));
    raw += found === -1 ? line : `${line}\n`;
    const isJoined = document.isExpanded && endsInBackslash(line) && found !== -1;
    joined += isJoined ? line.slice(0, -1) : line;
    if (!isJoined) return { joined, raw };
  }
}

function endsInBackslash(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === "\\") count += 1;
  return count % 2 === 1;
}

function toWord(outer: Reader, document: HereDocument, text: string): Word {
  if (!document.isExpanded)
    return { parts: [{ kind: "text", text, isQuoted: true }], source: text, isContinued: false };
  const reader = createReader(text, outer.grammar, outer.depth);
  const parts = readHereText(reader);
  if (reader.problem !== undefined) fail(outer, reader.problem);
  return { parts, source: text, isContinued: false };
}
