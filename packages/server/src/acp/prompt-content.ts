/** Reads a prompt of an editor: its words, the files it mentions, and the pictures and documents that go with it. */
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import type { Media } from "@kedge/protocol";

export type ReadPrompt =
  | {
      readonly ok: true;
      readonly text: string;
      readonly attachments: readonly Media[];
      /** The files that are named and whose text is not with them. */
      readonly mentions: readonly string[];
    }
  | { readonly ok: false; readonly sentence: string };

const mediaTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

/** One block: words for where it stands, a text that follows the prompt, an attachment, or why it cannot be used. */
type Piece = {
  readonly inline?: string;
  readonly after?: string;
  readonly media?: Media;
  readonly mention?: string;
  readonly problem?: string;
};

export function readPromptContent(blocks: readonly ContentBlock[]): ReadPrompt {
  const pieces = blocks.map((block, index) => pieceOf(block, index + 1));
  const problem = pieces.find((piece) => piece.problem !== undefined)?.problem;
  if (problem !== undefined) return { ok: false, sentence: problem };
  const words = pieces.map(({ inline = "" }) => inline).join("");
  const text = [words, ...pieces.flatMap(({ after }) => after ?? [])].join("\n\n").trim();
  const attachments = pieces.flatMap(({ media }) => media ?? []);
  if (text === "" && attachments.length === 0) return { ok: false, sentence: "The prompt is empty." };
  return { ok: true, text, attachments, mentions: pieces.flatMap(({ mention }) => mention ?? []) };
}

function pieceOf(block: ContentBlock, number: number): Piece {
  switch (block.type) {
    case "text":
      return { inline: block.text };
    case "image":
      return attached(
        { name: block.uri == null ? `picture ${number}` : nameOf(block.uri), mediaType: block.mimeType },
        block.data,
      );
    case "resource_link":
      return mentioned(block.name, placeOf(block.uri));
    case "resource":
      return embedded(block);
    case "audio":
      return { problem: "Audio is not supported. Send text, images or files." };
  }
}

function mentioned(name: string, place: string): Piece {
  return { inline: `[@${name}](${place})`, ...(isAbsolute(place) && { mention: place }) };
}

function embedded({ resource }: EmbeddedResource): Piece {
  const place = placeOf(resource.uri);
  const inline = `[@${nameOf(resource.uri)}](${place})`;
  if ("text" in resource) {
    return { inline, after: `<file path=${JSON.stringify(place)}>\n${resource.text}\n</file>` };
  }
  const piece = attached({ name: nameOf(resource.uri), mediaType: resource.mimeType ?? "" }, resource.blob);
  return piece.problem === undefined ? { ...piece, inline } : piece;
}

function attached(media: Pick<Media, "name" | "mediaType">, base64: string): Piece {
  if (mediaTypes.has(media.mediaType)) return { media: { ...media, base64 } };
  const kind = media.mediaType === "" ? "a file of unknown kind" : media.mediaType;
  return { problem: `kedge cannot attach ${kind}. Send a PNG, JPEG, GIF, WebP or PDF, or name the file instead.` };
}

/** The path of a file, the address of anything else. */
function placeOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // An address on another machine has no path here; the model may still know what to do with it.
    if (error instanceof TypeError) return uri;
    throw error;
  }
}

function nameOf(uri: string): string {
  return (
    placeOf(uri)
      .split("/")
      .findLast((part) => part !== "") ?? uri
  );
}
