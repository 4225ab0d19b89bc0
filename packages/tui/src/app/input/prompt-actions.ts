/** What is done with the words in the prompt: they are sent, run, written in an editor, or come back to be changed. */

import { isExitWord } from "@kedge/protocol";
import { notACommand } from "../../prompt/input-text.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { Screen } from "../../screen/open-screen.ts";
import type { ClientState } from "../../state/client-state.ts";
import { anyCommandTexts } from "../../texts/commands.ts";
import { flashTexts } from "../../texts/terminal.ts";
import type { TellNotice } from "../notices.ts";
import type { SessionDesk } from "../session/session-desk.ts";
import type { TuiParts } from "../tui-parts.ts";

export type PromptActionParts = {
  readonly parts: Pick<TuiParts, "editText" | "readClipboardImage">;
  readonly prompt: Prompt;
  readonly screen: Screen;
  readonly state: () => ClientState;
  readonly notice: TellNotice;
  /** Undefined until the engine is up. */
  readonly desk: () => SessionDesk | undefined;
  readonly setHint: (text: string) => void;
  /** False when it was none of our commands. */
  readonly runLine: (line: string) => Promise<boolean>;
  /** The screen is out of the way until the function that is given back is called. */
  readonly leaveScreen: () => () => void;
  readonly exit: () => void;
};

export interface PromptActions {
  submit(delivery: "now" | "follow-up"): void;
  /** Sends what the user wanted to be sent before there was anybody to send it to. */
  sendWaiting(): void;
  editPrompt(): void;
  /** The newest prompt that waits comes back to be changed. */
  editQueued(): void;
  pasteImage(): void;
}

export function createPromptActions(given: PromptActionParts): PromptActions {
  const { parts, prompt, screen, state, notice } = given;
  let isWaitingToSend = false;

  async function submit(delivery: "now" | "follow-up"): Promise<void> {
    const desk = given.desk();
    const text = prompt.text();
    if (isExitWord(text)) {
      prompt.clear();
      return given.exit();
    }
    if (text.trim() === "") return state().activity.kind === "retrying" ? desk?.hasten() : undefined;
    if (desk === undefined || state().connection === "starting") {
      isWaitingToSend = true;
      given.setHint(flashTexts.sendsWhenReady);
      return;
    }
    if (text.startsWith("/") && (await runTyped(text))) return;
    if (state().session === undefined) return notice("info", anyCommandTexts.chooseModel);
    if (text.startsWith("!")) {
      const line = prompt.takeSubmission().text;
      const command = line.replace(/^!+/, "").trim();
      return command === "" ? undefined : desk.runShell(command, { isPrivate: line.startsWith("!!") });
    }
    if (text.startsWith("#")) {
      const submission = prompt.takeSubmission();
      const note = submission.text.replace(/^#+/, "").trim();
      const sessionId = state().session?.id ?? "";
      if (note === "") return;
      // This conversation hears it with the next prompt, later ones find it in memory.
      await desk.send<"message.add">({ type: "message.add", sessionId, text: note });
      await desk.submit({ ...submission, text: `/memory add ${note}` }, "follow-up");
      return;
    }
    const isRunning = state().activity.kind !== "idle";
    screen.scrollToEnd();
    const draft = prompt.draft();
    const isSent = await desk.submit(prompt.takeSubmission(), isRunning && delivery === "now" ? "steer" : "follow-up");
    if (!isSent && prompt.isEmpty()) prompt.restore(draft);
  }

  /** The line leaves the prompt at once, and comes back when it was none of our commands. */
  async function runTyped(line: string): Promise<boolean> {
    const draft = prompt.draft();
    prompt.takeSubmission();
    if (await given.runLine(line)) return true;
    prompt.restore(draft);
    return false;
  }

  async function editPrompt(): Promise<void> {
    const comeBack = given.leaveScreen();
    const edited = await parts.editText(prompt.text());
    comeBack();
    if (edited.ok) prompt.setText(edited.text);
    else notice("warning", edited.sentence);
  }

  async function editQueued(): Promise<void> {
    const waiting = state().messages.findLast(({ isQueued }) => isQueued === true);
    if (waiting === undefined) return screen.flash(flashTexts.noQueuedPrompt);
    if (!prompt.isEmpty()) return screen.flash(flashTexts.promptNotEmpty);
    const text = waiting.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if ((await given.desk()?.withdraw(waiting.id)) !== true) return;
    prompt.setText(notACommand(text));
    for (const part of waiting.parts) if (part.type === "file") prompt.attach(part.media);
  }

  async function pasteImage(): Promise<void> {
    const image = await parts.readClipboardImage();
    if (typeof image === "string") notice("info", image);
    else prompt.attach(image);
  }

  return {
    submit: (delivery) => void submit(delivery),
    sendWaiting() {
      if (!isWaitingToSend) return;
      isWaitingToSend = false;
      given.setHint("");
      void submit("now");
    },
    editPrompt: () => void editPrompt(),
    editQueued: () => void editQueued(),
    pasteImage: () => void pasteImage(),
  };
}
