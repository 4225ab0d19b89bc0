/** Files that a person pastes, drops or chooses, as a prompt carries them. */
import type { Media } from "@kedge/protocol";
import * as texts from "../texts/attachments.ts";

export type Attached = {
  readonly id: number;
  readonly name: string;
  /** A picture or a document, which the model sees as such. */
  readonly media?: Media;
  /** What a text file contains: it goes with the words of the prompt. */
  readonly text?: string;
  /** A picture to show, as a data address. */
  readonly preview?: string;
};

const attachmentBytesMax = 20 * 1_048_576;
const textBytesMax = 256 * 1_024;

/** Told apart by their first bytes, never by their names. */
const signatures: readonly { readonly mediaType: string; readonly at: number; readonly bytes: string }[] = [
  { mediaType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mediaType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mediaType: "image/gif", at: 0, bytes: "GIF8" },
  { mediaType: "image/webp", at: 8, bytes: "WEBP" },
  { mediaType: "application/pdf", at: 0, bytes: "%PDF-" },
];

let count = 0;

/** What is too large, of another kind or cannot be read is told, and the rest is taken. */
export async function readAttachments(
  files: Iterable<File>,
): Promise<{ readonly read: readonly Attached[]; readonly problems: readonly string[] }> {
  const read: Attached[] = [];
  const problems: string[] = [];
  for (const file of files) {
    count += 1;
    const name = file.name === "" ? `attachment-${count}` : file.name;
    const found = file.size > attachmentBytesMax ? tooLarge(attachmentBytesMax) : await readOne(file, name);
    if (typeof found === "string") problems.push(`${name} ${found}`);
    else read.push({ id: count, name, ...found });
  }
  return { read, problems };
}

/** Or what is wrong with it. */
async function readOne(file: File, name: string): Promise<Pick<Attached, "media" | "text" | "preview"> | string> {
  const base64 = await base64Of(file);
  if (base64 === undefined) return texts.unreadable;
  const begin = atob(base64.slice(0, 16));
  const mediaType = signatures.find(({ at, bytes }) => begin.startsWith(bytes, at))?.mediaType;
  if (mediaType !== undefined) {
    const preview = mediaType.startsWith("image/") ? { preview: `data:${mediaType};base64,${base64}` } : {};
    return { media: { name, mediaType, base64 }, ...preview };
  }
  const text = textOf(await file.arrayBuffer());
  if (text === undefined) return texts.wrongKind;
  return file.size > textBytesMax ? tooLarge(textBytesMax) : { text };
}

function tooLarge(bytesMax: number): string {
  const limit = bytesMax < 1_048_576 ? texts.textLimit(bytesMax / 1_024) : texts.fileLimit(bytesMax / 1_048_576);
  return texts.tooLarge(limit);
}

function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

/** The words of a prompt with the text files behind them, each in a fence that nothing in it can close. */
export function withTextFiles(words: string, attached: readonly Attached[]): string {
  const blocks = attached.flatMap(({ name, text }) => {
    if (text === undefined) return [];
    const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    return [`${name.replaceAll(/[\r\n`]/g, " ")}:\n${fence}\n${text.replace(/\n$/, "")}\n${fence}`];
  });
  return [...(words.trim() === "" ? [] : [words]), ...blocks].join("\n\n");
}

/** Undefined for a folder, and for a file that is gone. */
function base64Of(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onerror = () => resolve(undefined);
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1]);
    reader.readAsDataURL(file);
  });
}
