/** The words that the shell keeps for itself where a command could begin. */
import { isWordEnd, peek, type Reader, startsWith } from "./reader.ts";

const reserved: ReadonlySet<string> = new Set(
  "! { } [[ case coproc do done elif else esac fi for function if in select then time until while".split(" "),
);

/** They end a list of commands. */
const listEnds: ReadonlySet<string> = new Set("} do done elif else esac fi then".split(" "));
const longestLength = 8;

/** The reserved word that begins here; empty when none does. Nothing is taken. */
export function peekReserved(reader: Reader): string {
  let end = reader.at;
  while (end - reader.at <= longestLength && isReservedLetter(reader.text[end] ?? "")) end += 1;
  const word = reader.text.slice(reader.at, end);
  if (!reserved.has(word)) return "";
  const next = reader.text[end] ?? "";
  const isPartOfWord = (next === "<" || next === ">") && reader.text[end + 1] === "(";
  return isWordEnd(next) && !isPartOfWord ? word : "";
}

export function takeReserved(reader: Reader, word: string): boolean {
  if (!startsWith(reader, word) || peekReserved(reader) !== word) return false;
  reader.at += word.length;
  return true;
}

export function isReserved(text: string): boolean {
  return reserved.has(text) || text === "]]";
}

export function isListEnd(reader: Reader): boolean {
  const character = peek(reader);
  return (
    character === "" ||
    character === ")" ||
    startsWith(reader, ";;") ||
    startsWith(reader, ";&") ||
    listEnds.has(peekReserved(reader))
  );
}

function isReservedLetter(character: string): boolean {
  return (character >= "a" && character <= "z") || character === "!" || "{}[".includes(character || " ");
}
