/** Opens files safely and knows their content: regular files only, text told from binary, hash, byte order mark, endings. */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { describeFileError, isFileError } from "./file-error.ts";

export type OpenedFile =
  | { readonly kind: "file"; readonly descriptor: number; readonly sizeBytes: number }
  | { readonly kind: "directory" }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly problem: string };

// Without O_NONBLOCK the mere opening of a FIFO waits for its other end; without O_NOCTTY a terminal could become ours.
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The caller closes the descriptor. What may be read is decided on the open file, so a swapped path changes nothing. */
export function openRegularFile(path: string): OpenedFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, openFlags);
  } catch (error) {
    if (isFileError(error, "ENOENT")) return { kind: "missing" };
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    return { kind: "refused", problem };
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { kind: "file", descriptor, sizeBytes: stats.size };
  closeSync(descriptor);
  if (stats.isDirectory()) return { kind: "directory" };
  return { kind: "refused", problem: `${path} is a device, pipe or socket; only regular files can be read.` };
}

const sniffedBytesMax = 8_192;
const countedBytesMax = 1_024;
const controlShareMax = 0.1;
/** Tab, line feed, form feed, carriage return and escape are at home in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlCharacters = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/g;

/** Decides by the first bytes, never by the name. */
export function looksBinary(bytes: Buffer): boolean {
  const sample = bytes.length > sniffedBytesMax ? bytes.subarray(0, sniffedBytesMax) : bytes;
  if (sample.includes(0)) return true;
  const beginning = sample.toString("latin1", 0, countedBytesMax);
  if (beginning.startsWith("%PDF-")) return true;
  const controls = beginning.match(controlCharacters)?.length ?? 0;
  return controls > beginning.length * controlShareMax;
}

export function hashContent(content: Buffer | string): string {
  return hash("sha256", content);
}

/** A text file as an editor needs it: what it says, and how it must be written back. */
export type TextFile = { readonly text: string; readonly contentHash: string; readonly hasByteOrderMark: boolean };

export type LoadedText =
  | ({ readonly kind: "text" } & TextFile)
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly problem: string };

export const editableBytesMax = 20 * 1_024 * 1_024;

/** Loads a whole file that is going to be changed. */
export function loadText(path: string): LoadedText {
  const opened = openRegularFile(path);
  if (opened.kind === "directory") return { kind: "refused", problem: `${path} is a directory.` };
  if (opened.kind !== "file") return opened;
  try {
    if (opened.sizeBytes > editableBytesMax)
      return { kind: "refused", problem: `${path} is larger than ${editableBytesMax} bytes; change it with bash.` };
    const bytes = contentOf(opened.descriptor);
    if (typeof bytes === "string") return { kind: "refused", problem: `${path} cannot be read (${bytes}).` };
    // Decoding anything else and writing it back would damage the bytes that no edit touched.
    if (looksBinary(bytes) || !isUtf8(bytes))
      return { kind: "refused", problem: `${path} is not UTF-8 text; change it with bash.` };
    const text = bytes.toString("utf8");
    const hasByteOrderMark = text.startsWith(byteOrderMark);
    return {
      kind: "text",
      text: hasByteOrderMark ? text.slice(1) : text,
      contentHash: hashContent(bytes),
      hasByteOrderMark,
    };
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Some files of the system open well and cannot be read: then the code of the error. */
function contentOf(descriptor: number): Buffer | string {
  try {
    return readFileSync(descriptor);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    return String(error.code);
  }
}

export const byteOrderMark = "\uFEFF";

/** The prevailing line ending, or undefined for a text of one line. */
export function lineEndingOf(text: string): "\n" | "\r\n" | undefined {
  let all = 0;
  let carriageReturns = 0;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) {
    all += 1;
    if (text[index - 1] === "\r") carriageReturns += 1;
  }
  return all === 0 ? undefined : carriageReturns * 2 > all ? "\r\n" : "\n";
}

export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return ending === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}
