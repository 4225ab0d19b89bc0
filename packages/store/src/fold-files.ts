/**
 * Folds of long sessions in files of their own: texts, and before each a line with its form and the number of its bytes.
 * SQLite takes four times as long for 25 MB of them, because it reads page by page. They only spare work: whatever the
 * disk refuses is as if nothing had been kept.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { hasWideCharacter } from "./hollow-json.ts";

/** A letter, as many digits, and a line break; so the place to read the text into is known before it is read. */
const sizeDigits = 12;
const headBytes = 1 + sizeDigits + 1;
/** The forms that V8 has texts in itself: both are copied and not decoded, and keep halves of characters. */
const forms: { readonly [letter: string]: "latin1" | "utf16le" | undefined } = { l: "latin1", w: "utf16le" };
const textBytesMax = 512 * 1024 * 1024;

export type FoldFiles = {
  /** Those that were written, in their order, as far as they can be read. */
  texts(name: string): Generator<string>;
  /** The whole file or nothing of it. */
  write(name: string, texts: Iterable<string>): void;
  remove(name: string): void;
  removeAll(): void;
  bytes(): number;
};

/** Beside the database, because they are nothing without it. */
export function foldsDirectory(path: string): string {
  return join(dirname(path), "folds");
}

export function foldFiles(directory: string): FoldFiles {
  const pathOf = (name: string) => join(directory, name);
  const temporaryOf = (name: string) => pathOf(`${name}.tmp`);
  return {
    texts: (name) => readTexts(pathOf(name)),
    write(name, texts) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeTexts(temporaryOf(name), texts);
        renameSync(temporaryOf(name), pathOf(name));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (existsSync(temporaryOf(name))) rmSync(temporaryOf(name));
      }
    },
    remove(name) {
      rmSync(pathOf(name), { force: true });
      rmSync(temporaryOf(name), { force: true });
    },
    removeAll: () => rmSync(directory, { recursive: true, force: true }),
    bytes() {
      const sizeOf = (name: string) => statSync(pathOf(name), { throwIfNoEntry: false })?.size ?? 0;
      return namesIn(directory).reduce((sum, name) => sum + sizeOf(name), 0);
    },
  };
}

function* readTexts(path: string): Generator<string> {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const head = Buffer.alloc(headBytes);
    let place = Buffer.alloc(0);
    while (isFilled(file, head)) {
      const form = forms[head.toString("latin1", 0, 1)];
      const bytes = Number(head.toString("latin1", 1));
      if (form === undefined || !(bytes <= textBytesMax)) return;
      if (place.length < bytes) place = Buffer.allocUnsafeSlow(bytes);
      const text = place.subarray(0, bytes);
      if (!isFilled(file, text)) return;
      yield text.toString(form);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** False when the file ends before. */
function isFilled(file: number, place: Buffer): boolean {
  for (let filled = 0; filled < place.length; ) {
    const read = readSync(file, place, { offset: filled });
    if (read === 0) return false;
    filled += read;
  }
  return true;
}

function writeTexts(path: string, texts: Iterable<string>): void {
  const file = openSync(path, "w", 0o600);
  try {
    for (const text of texts) {
      const letter = hasWideCharacter(text) ? "w" : "l";
      const bytes = Buffer.from(text, forms[letter]);
      writeWhole(file, Buffer.from(`${letter}${String(bytes.length).padStart(sizeDigits, "0")}\n`));
      writeWhole(file, bytes);
    }
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

/** Anything that the system says of a file, such as that there is none. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
