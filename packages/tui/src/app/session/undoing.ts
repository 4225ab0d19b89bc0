/** Going back in the session before the user, and forth again: conversation and files. */
import { noticeTexts } from "../../texts/conversation.ts";
import { changesText } from "../told-texts.ts";
import type { DeskSending } from "./desk-sending.ts";

export type UndoWish = { readonly messageId?: string; readonly isForced?: boolean; readonly only?: "files" };

export type UndoingParts = DeskSending & {
  readonly offerText: (text: string) => void;
  readonly refresh?: () => Promise<void>;
  readonly onFilesChanged?: () => void;
};

export interface Undoing {
  /** Without a message the last prompt. */
  undo(options?: UndoWish): Promise<boolean>;
  /** Back to before a prompt: what was said, the files, or both. */
  rewind(messageId: string, what: "conversation" | "files" | "both"): Promise<void>;
  redo(options?: { readonly isForced?: boolean }): Promise<boolean>;
  /** Goes on before or after a place of the tree; the text of a prompt comes back into the prompt. */
  moveTo(entryId: string | undefined): Promise<void>;
}

export function createUndoing({ send, sessionId, notice, ...parts }: UndoingParts): Undoing {
  async function moveTo(entryId: string | undefined): Promise<void> {
    const place = entryId === undefined ? {} : { entryId };
    const moved = await send<"leaf.move">({ type: "leaf.move", sessionId: sessionId(), ...place });
    if (moved.ok && moved.value.promptText !== undefined) parts.offerText(moved.value.promptText);
  }

  async function undo(wish: UndoWish = {}): Promise<boolean> {
    const promptText = await takeBack(wish);
    if (promptText !== undefined) parts.offerText(promptText);
    return promptText !== undefined;
  }

  /** Gives back the text of the prompt that was undone, if it could be. */
  async function takeBack({ messageId, isForced = false, only }: UndoWish): Promise<string | undefined> {
    const wish = { sessionId: sessionId(), evenIfChanged: isForced, ...(only !== undefined && { only }) };
    const undone =
      messageId === undefined
        ? await send<"session.undo">({ type: "session.undo", ...wish })
        : await send<"session.revert">({ type: "session.revert", messageId, ...wish });
    if (!undone.ok) return undefined;
    await filesChanged();
    const { files, uncovered, promptText } = undone.value;
    const gap = uncovered.length === 0 ? "" : `\n${noticeTexts.notInSnapshot(uncovered.join(", "))}`;
    notice(uncovered.length === 0 ? "success" : "warning", `${noticeTexts.undone(changesText(files))}${gap}`);
    return promptText;
  }

  async function filesChanged(): Promise<void> {
    parts.onFilesChanged?.();
    await parts.refresh?.();
  }

  return {
    moveTo,
    undo,
    async rewind(messageId, what) {
      if (what === "conversation") return moveTo(messageId);
      if (what === "both") return void (await undo({ messageId }));
      await takeBack({ messageId, only: what });
    },
    async redo({ isForced = false } = {}) {
      const wish = { sessionId: sessionId(), evenIfChanged: isForced };
      const redone = await send<"session.redo">({ type: "session.redo", ...wish });
      if (!redone.ok) return false;
      await filesChanged();
      notice("success", noticeTexts.redone(changesText(redone.value.files)));
      return true;
    },
  };
}
