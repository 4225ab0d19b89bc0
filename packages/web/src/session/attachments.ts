/** Files that a person pastes, drops or chooses, as a prompt carries them. */
import type { Media } from "@kedge/protocol";

export type Attached = {
  readonly id: number;
  readonly media: Media;
  /** A picture to show, as a data address. */
  readonly preview?: string;
};

export const attachmentBytesMax = 20 * 1_048_576;
const shownPictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

let count = 0;

/** What is too large or cannot be read is told, and the rest is taken. */
export async function readAttachments(
  files: Iterable<File>,
): Promise<{ readonly read: readonly Attached[]; readonly problems: readonly string[] }> {
  const read: Attached[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (file.size > attachmentBytesMax) {
      problems.push(`${file.name} is too large to attach: the limit is ${attachmentBytesMax / 1_048_576} MB.`);
      continue;
    }
    const base64 = await base64Of(file);
    if (base64 === undefined) {
      problems.push(`${file.name} could not be read.`);
      continue;
    }
    count += 1;
    const mediaType = file.type === "" ? "application/octet-stream" : file.type;
    const media: Media = { name: file.name === "" ? `attachment-${count}` : file.name, mediaType, base64 };
    const preview = shownPictures.has(mediaType) ? { preview: `data:${mediaType};base64,${base64}` } : {};
    read.push({ id: count, media, ...preview });
  }
  return { read, problems };
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
