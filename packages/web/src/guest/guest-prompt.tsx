/** The prompt of a guest with a full link: plain words for the model, and a way to interrupt it. */
import type { Delivery } from "@kedge/protocol";
import { useState } from "preact/hooks";
import { useSelected } from "../app/use-selected.ts";
import { Icon } from "../frame/icons.tsx";
import * as texts from "../texts/guest.ts";
import type { RoomView } from "./room-view.ts";

export type GuestPromptProps = { readonly view: RoomView; readonly isConnected: boolean };

export function GuestPrompt({ view, isConnected }: GuestPromptProps) {
  const isRunning = useSelected(view.store, (state) => state.activity.kind !== "idle");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const isReady = isConnected && !isSending && text.trim() !== "";

  async function send(delivery: Delivery): Promise<void> {
    if (!isReady) return;
    setSending(true);
    const isTaken = await view.submit(text, delivery);
    setSending(false);
    if (isTaken) setText("");
  }

  return (
    <form
      class="prompt"
      onSubmit={(event) => {
        event.preventDefault();
        void send("steer");
      }}
    >
      <textarea
        id="prompt"
        rows={2}
        value={text}
        aria-label={texts.prompt}
        placeholder={isRunning ? texts.steerModel : texts.askForChange}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          void send(event.altKey ? "follow-up" : "steer");
        }}
      />
      <div class="prompt-row guest-row">
        {isRunning && (
          <button
            type="button"
            class="icon-button stop"
            aria-label={texts.interrupt}
            title={texts.interrupt}
            disabled={!isConnected}
            onClick={() => void view.interrupt()}
          >
            <Icon name="stop" />
          </button>
        )}
        <button
          type="submit"
          class="icon-button send"
          aria-label={isRunning ? texts.steer : texts.send}
          title={isRunning ? texts.steerKey : texts.sendKey}
          disabled={!isReady}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
