/** Takes what is pasted or dropped into the text: as it is, as one token, or as the file it names. */

import type { Media } from "@kedge/protocol";
import { promptTexts } from "../texts/terminal.ts";
import { droppedPaths } from "./attachment-paths.ts";
import { type Attachment, type AttachmentTokens, isLongPaste } from "./attachment-tokens.ts";
import { notACommand, promptText } from "./input-text.ts";
import type { ReadAttachment } from "./prompt-parts.ts";
import type { TextBuffer } from "./text-buffer.ts";

export type AttachmentIntake = {
  /** Paths stay text where they are a part of a command. */
  paste(pasted: string, options: { readonly arePathsText: boolean }): void;
  attach(media: Media): void;
  /** Nobody waits any more for files that are being read. */
  cancel(): void;
};

export type IntakeParts = {
  readonly buffer: TextBuffer;
  readonly tokens: AttachmentTokens;
  readonly readAttachment: ReadAttachment;
  /** The text changed while nobody typed; `note` is a sentence for the user. */
  readonly onArrived: (note: string | undefined) => void;
};

export function createAttachmentIntake({ buffer, tokens, readAttachment, onArrived }: IntakeParts): AttachmentIntake {
  let reading = new AbortController();

  function insertToken(attachment: Attachment, otherwise: string): string | undefined {
    const token = tokens.add(attachment);
    buffer.insert(token ?? otherwise);
    return token;
  }

  async function read(path: string, token: string): Promise<void> {
    const { signal } = reading;
    const found = await readAttachment(path, signal).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      return promptTexts.notAttached({ path, reason });
    });
    if (signal.aborted) return;
    if (typeof found === "object") {
      tokens.change(token, { kind: "media", media: found });
      onArrived(undefined);
      return;
    }
    tokens.change(token, { kind: "path", path, isReading: false });
    const start = buffer.text().indexOf(token);
    if (start !== -1) buffer.replace({ start, end: start + token.length }, path);
    onArrived(found);
  }

  return {
    paste(pasted, { arePathsText }) {
      const isAtStart = buffer.cursor() === 0;
      const text = isAtStart ? notACommand(promptText(pasted)) : promptText(pasted);
      const paths = arePathsText ? [] : droppedPaths(text);
      for (const [index, path] of paths.entries()) {
        if (index > 0) buffer.insert(" ");
        const token = insertToken({ kind: "path", path, isReading: true }, path);
        if (token !== undefined) void read(path, token);
      }
      if (paths.length > 0) return;
      if (isLongPaste(text)) insertToken({ kind: "text", text }, text);
      else buffer.insert(text);
    },
    attach(media) {
      insertToken({ kind: "media", media }, "");
    },
    cancel() {
      reading.abort();
      reading = new AbortController();
    },
  };
}
