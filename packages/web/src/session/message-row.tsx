/** One message of the conversation, and what can be done with it. */
import type { MessageView } from "@kedge/protocol";
import { Component } from "preact";
import { copyText } from "../app/hand-over.ts";
import { sessionAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Icon } from "../frame/icons.tsx";
import { Message } from "../parts/part.tsx";
import * as texts from "../texts/session.ts";
import { usePageLook } from "./page-look.ts";

/** A message that did not change is not drawn again. */
export class MessageRow extends Component<{ readonly message: MessageView }> {
  override shouldComponentUpdate(next: Readonly<{ readonly message: MessageView }>): boolean {
    return next.message !== this.props.message;
  }

  override render() {
    return <DrawnMessage message={this.props.message} />;
  }
}

function DrawnMessage({ message }: { readonly message: MessageView }) {
  const look = usePageLook(message);
  const isPrompt = message.role === "user";
  return (
    <article
      class={`message ${message.role}${message.isQueued === true ? " queued" : ""}`}
      aria-label={isPrompt ? texts.yourPrompt : texts.answer}
    >
      {message.isQueued === true && <QueuedHead message={message} />}
      <Message message={message} look={look} />
      {message.isQueued !== true && <MessageActions message={message} />}
    </article>
  );
}

function QueuedHead({ message }: { readonly message: MessageView }) {
  const page = usePage();
  return (
    <p class="queued-head">
      <span>{message.delivery === "follow-up" ? texts.queued : texts.sentNext}</span>
      <button
        type="button"
        class="text-button"
        onClick={async () => {
          const text = textOf(message);
          if (await page.desk.withdraw(message.id)) page.state.update((state) => ({ ...state, offered: { text } }));
        }}
      >
        {texts.edit}
      </button>
      <button type="button" class="text-button" onClick={() => void page.desk.withdraw(message.id)}>
        {texts.remove}
      </button>
    </p>
  );
}

function MessageActions({ message }: { readonly message: MessageView }) {
  const page = usePage();
  const isBusy = useSelected(page.store, (state) => state.activity.kind !== "idle");
  const isPrompt = message.role === "user";
  const isWhole = isPrompt || message.completedAt !== undefined;
  if (!isWhole) return null;
  const address = sessionAddress(message.sessionId, message.id);
  return (
    <div class="message-actions">
      <button
        type="button"
        class="icon-button small"
        aria-label={texts.copyText}
        title={texts.copyText}
        onClick={() => void copyText(window, textOf(message))}
      >
        <Icon name="copy" />
      </button>
      <a class="icon-button small" href={address} aria-label={texts.linkToMessage} title={texts.linkToMessage}>
        <Icon name="link" />
      </a>
      {isPrompt && (
        <button
          type="button"
          class="icon-button small"
          aria-label={texts.rewindHere}
          title={texts.rewindHere}
          disabled={isBusy}
          onClick={() => page.open({ name: "rewind", argument: message.id })}
        >
          <Icon name="rewind" />
        </button>
      )}
      <button
        type="button"
        class="icon-button small"
        aria-label={texts.forkHere}
        title={texts.forkHere}
        disabled={isBusy}
        onClick={() => void forkFrom(page, message)}
      >
        <Icon name="fork" />
      </button>
    </div>
  );
}

async function forkFrom(page: ReturnType<typeof usePage>, { sessionId, id }: MessageView): Promise<void> {
  const forked = await page.desk.send<"session.fork">({ type: "session.fork", sessionId, entryId: id });
  if (!forked.ok) return;
  page.router.go(sessionAddress(forked.value.sessionId));
  await page.show(forked.value.sessionId);
  page.notice("info", texts.inFork);
}

function textOf({ parts }: MessageView): string {
  return parts.flatMap((part) => (part.type === "text" && part.isSynthetic !== true ? [part.text] : [])).join("\n\n");
}
