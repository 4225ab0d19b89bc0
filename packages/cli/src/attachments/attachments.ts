/** Files that go with a prompt: told apart by their first bytes, never by their names. */
import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Media } from "@kedge/protocol";
import { attachmentTexts } from "../texts/headless.ts";

export type Attachments =
  | { readonly ok: true; readonly attachments: readonly Media[] }
  | { readonly ok: false; readonly sentence: string };

/** What no vendor takes in one request. */
export const attachmentBytesMax = 32 * 1024 * 1024;

const signatures: readonly { readonly mediaType: string; readonly at: number; readonly bytes: string }[] = [
  { mediaType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mediaType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mediaType: "image/gif", at: 0, bytes: "GIF8" },
  { mediaType: "image/webp", at: 8, bytes: "WEBP" },
  { mediaType: "application/pdf", at: 0, bytes: "%PDF-" },
];

export function readAttachments(paths: readonly string[], cwd: string): Attachments {
  const attachments: Media[] = [];
  for (const path of paths) {
    const file = resolve(cwd, path);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return wrong(path, attachmentTexts.missing);
    if (!stats.isFile()) return wrong(path, attachmentTexts.notAFile);
    if (stats.size > attachmentBytesMax) return wrong(path, attachmentTexts.tooLarge(attachmentBytesMax / 1024 / 1024));
    const content = readFileSync(file);
    const mediaType = mediaTypeOf(content);
    if (mediaType === undefined) {
      return wrong(path, attachmentTexts.neitherImageNorPdf);
    }
    attachments.push({ name: basename(file), mediaType, base64: content.toString("base64") });
  }
  return { ok: true, attachments };
}

export function mediaTypeOf(content: Buffer): string | undefined {
  return signatures.find(({ at, bytes }) => content.subarray(at, at + bytes.length).toString("latin1") === bytes)
    ?.mediaType;
}

function wrong(path: string, what: string): Attachments {
  return { ok: false, sentence: attachmentTexts.problem(path, what) };
}
