/**
 * Attachments in the text: a long paste, a picture or a document is one character of the text, so that it moves and is
 * erased as one, and is shown as a label such as `[pasted 42 lines #1]`.
 */

import type { Media } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { promptTexts } from "../texts/terminal.ts";
import { firstTokenCode, lastTokenCode, withoutTokens } from "./input-text.ts";

export const pastedLinesMax = 10;
export const pastedCharactersMax = 2_000;

export type Attachment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "media"; readonly media: Media }
  /** Asked for and not there yet, or refused: it stands for its path. */
  | { readonly kind: "path"; readonly path: string; readonly isReading: boolean };

/** How an attachment is kept beside a stored text that has its label. */
export type StoredAttachment = { readonly label: string; readonly attachment: Attachment };

export type AttachmentTokens = {
  /** The character to insert, or undefined when there are too many already. */
  add(attachment: Attachment): string | undefined;
  change(token: string, attachment: Attachment): void;
  /** Empty when it stood for something that was sent, undefined for every other character. */
  labelOf(character: string): string | undefined;
  /** As it is shown. */
  labelled(text: string): string;
  /** Back from labels to tokens, for the labels that are known. */
  tokenised(labelled: string): string;
  /** As it is sent: pasted text in full, pictures and documents beside it. */
  expanded(text: string): { readonly text: string; readonly attachments: readonly Media[] };
  /** Without pictures and documents, of which a later prompt has nothing. */
  textOnly(text: string): string;
  /** As it is kept: with labels, and what they stand for. */
  stored(text: string): { readonly text: string; readonly attachments: readonly StoredAttachment[] };
  restore(stored: readonly StoredAttachment[]): void;
  clear(): void;
};

export function isLongPaste(text: string): boolean {
  if (text.length > pastedCharactersMax) return true;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines > pastedLinesMax;
}

const anyToken = /[\u{10f000}-\u{10fffd}]/gu;

export function createAttachmentTokens(): AttachmentTokens {
  let known = new Map<string, { readonly label: string; readonly attachment: Attachment }>();
  let numbers = 0;
  /** Characters are not used twice as long as there are others: a copy of a text that was sent may be pasted again. */
  let code = firstTokenCode;

  function add(attachment: Attachment, label?: string): string | undefined {
    if (known.size > lastTokenCode - firstTokenCode) return undefined;
    const token = String.fromCodePoint(code);
    code = code === lastTokenCode ? firstTokenCode : code + 1;
    numbers += 1;
    known.set(token, { label: label ?? labelFor(attachment, numbers), attachment });
    return token;
  }

  function replaceTokens(text: string, by: (attachment: Attachment, label: string) => string): string {
    return text.replaceAll(anyToken, (token) => {
      const entry = known.get(token);
      return entry === undefined ? "" : by(entry.attachment, entry.label);
    });
  }

  const labelled = (text: string) => replaceTokens(text, (_, label) => label);

  return {
    add: (attachment) => add(attachment),
    change(token, attachment) {
      const entry = known.get(token);
      if (entry === undefined) return;
      const number = Number(/#(\d+)\]$/.exec(entry.label)?.[1] ?? numbers);
      known.set(token, { label: labelFor(attachment, number), attachment });
    },
    labelOf: (character) => known.get(character)?.label ?? (withoutTokens(character) === character ? undefined : ""),
    labelled,
    tokenised(text) {
      let tokenised = text;
      for (const [token, { label }] of known) {
        if (label.startsWith("[")) tokenised = tokenised.replaceAll(label, () => token);
      }
      return tokenised;
    },
    expanded(text) {
      const attachments = new Set<Media>();
      const whole = replaceTokens(text, (attachment, label) => {
        switch (attachment.kind) {
          case "text":
            return attachment.text;
          case "path":
            return attachment.path;
          case "media":
            attachments.add(attachment.media);
            return label;
        }
      });
      return { text: whole, attachments: [...attachments] };
    },
    textOnly: (text) => replaceTokens(text, plainText),
    stored(text) {
      const attachments = new Map<string, Attachment>();
      const kept = replaceTokens(text, (attachment, label) => {
        if (attachment.kind === "path") return attachment.path;
        attachments.set(label, attachment);
        return label;
      });
      return { text: kept, attachments: Array.from(attachments, ([label, attachment]) => ({ label, attachment })) };
    },
    restore(stored) {
      known = new Map();
      numbers = 0;
      for (const { label, attachment } of stored) add(attachment, label);
      const used = stored.map(({ label }) => Number(/#(\d+)\]$/.exec(label)?.[1] ?? 0));
      numbers = Math.max(numbers, ...used);
    },
    clear() {
      known = new Map();
      numbers = 0;
    },
  };
}

function plainText(attachment: Attachment): string {
  switch (attachment.kind) {
    case "text":
      return attachment.text;
    case "path":
      return attachment.path;
    case "media":
      return "";
  }
}

function labelFor(attachment: Attachment, number: number): string {
  switch (attachment.kind) {
    case "text": {
      const lines = attachment.text.split("\n").length;
      return lines > 1
        ? promptTexts.pastedLines({ lines, number })
        : promptTexts.pastedCharacters({ characters: attachment.text.length, number });
    }
    case "media": {
      const named = { name: shortName(attachment.media.name), number };
      return attachment.media.mediaType.startsWith("image/") ? promptTexts.image(named) : promptTexts.file(named);
    }
    case "path":
      return attachment.isReading ? promptTexts.reading({ name: shortName(attachment.path), number }) : attachment.path;
  }
}

const nameMax = 40;

/** Names of files come from outside; a label is one line and has no bracket inside. */
function shortName(path: string): string {
  const name = cleanLine(path.split(/[\\/]/).at(-1) ?? path).replaceAll(/[[\]]/g, "");
  return name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name;
}
