/** The prompt: text with completion, attachments by paste, drop and choice, and what the run will be done with. */
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Icon } from "../frame/icons.tsx";
import * as texts from "../texts/session.ts";
import type { Attached } from "./attachments.ts";
import { CompletionList } from "./completion-list.tsx";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import { RunChoices } from "./run-choices.tsx";
import { isOffline, offlineText, readFiles, submitPrompt } from "./submit-prompt.ts";
import { useCompletion } from "./use-completion.ts";

export function PromptBox() {
  const page = usePage();
  const address = useSelected(page.router.address, (each) => each);
  const sessionId = address.kind === "session" ? address.sessionId : undefined;
  const offered = useSelected(page.state, (state) => state.offered);
  const isRunning = useSelected(page.store, (state) => state.activity.kind !== "idle");
  const isAsked = useSelected(page.store, (state) => state.requests.length > 0);
  const stream = useSelected(page.state, (state) => state.stream);
  const mayPrompt = page.mayAnswer("prompt");
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readDraft(sessionId));
  const [attached, setAttached] = useState<readonly Attached[]>([]);
  const [isSending, setSending] = useState(false);
  const completion = useCompletion(field, text, change);

  function change(next: string): void {
    setText(next);
    keepDraft(sessionId, next);
  }

  useEffect(() => setText(readDraft(sessionId)), [sessionId]);
  useEffect(() => {
    if (offered === undefined) return;
    change(offered.text);
    page.state.update(({ offered: _, ...state }) => state);
    field.current?.focus();
  }, [offered]);
  useEffect(() => fitHeight(field.current), [text]);
  useEffect(() => {
    if (!isAsked && window.matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [sessionId, isAsked]);

  async function send(delivery: "steer" | "follow-up"): Promise<void> {
    if (isSending || (text.trim() === "" && attached.length === 0)) return;
    if (isOffline(stream)) return page.notice("warning", offlineText);
    setSending(true);
    const isTaken = await submitPrompt(page, { words: text, attached }, delivery);
    setSending(false);
    // A session may have begun with it: then the words move there, or are no draft of the start any more.
    const there = page.router.address.get();
    const now = there.kind === "session" ? there.sessionId : undefined;
    if (isTaken) setAttached((before) => before.filter((each) => !attached.includes(each)));
    if (isTaken || now !== sessionId) dropDraft(sessionId, text);
    if (isTaken) return setText((before) => (before === text ? "" : before));
    if (now === sessionId) return;
    keepDraft(now, text);
    setText((before) => (before === "" ? text : before));
  }

  async function add(files: Iterable<File>): Promise<void> {
    // The browser takes them back with the end of its event.
    const read = await readFiles(page, [...files]);
    setAttached((before) => [...before, ...read]);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (completion.onKey(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send(event.altKey ? "follow-up" : "steer");
    } else if (event.key === "Tab" && event.shiftKey && sessionId !== undefined) {
      event.preventDefault();
      page.nextMode();
    }
  }

  return (
    <form
      class="prompt"
      hidden={isAsked}
      onSubmit={(event) => {
        event.preventDefault();
        void send("steer");
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add(event.dataTransfer?.files ?? []);
      }}
    >
      <CompletionList completion={completion} />
      <Attachments attached={attached} onRemove={(gone) => setAttached(attached.filter((each) => each !== gone))} />
      <textarea
        ref={field}
        id="prompt"
        rows={1}
        value={text}
        disabled={!mayPrompt}
        aria-label={texts.prompt}
        placeholder={mayPrompt ? placeholder(isRunning) : texts.viewOnly}
        aria-haspopup="listbox"
        aria-controls="completions"
        aria-autocomplete="list"
        aria-activedescendant={completion.items.length > 0 ? `completion-${completion.at}` : undefined}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          // In one go with the text, so that the key that was pressed asks once.
          completion.look();
        }}
        onKeyDown={onKey}
        onKeyUp={completion.look}
        onClick={completion.look}
        onPaste={(event) => {
          const files = event.clipboardData?.files ?? [];
          if (files.length === 0) return;
          event.preventDefault();
          void add(files);
        }}
      />
      <div class="prompt-row">
        <label class="icon-button" title={texts.attachFiles}>
          <Icon name="attach" />
          <span class="hidden-text">{texts.attachFiles}</span>
          <input
            class="hidden-text"
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              void add([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
        </label>
        <RunChoices />
        {isRunning && (
          <>
            <button type="button" class="button" disabled={text.trim() === ""} onClick={() => void send("follow-up")}>
              {texts.queue}
            </button>
            <button
              type="button"
              class="icon-button stop"
              aria-label={texts.interrupt}
              title={texts.interruptKey}
              onClick={() => void page.desk.interrupt()}
            >
              <Icon name="stop" />
            </button>
          </>
        )}
        <button
          type="submit"
          class="icon-button send"
          aria-label={isRunning ? texts.steer : texts.send}
          title={isRunning ? texts.steerKey : texts.sendKey}
          disabled={isSending || !mayPrompt || (text.trim() === "" && attached.length === 0)}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

function placeholder(isRunning: boolean): string {
  return isRunning ? texts.promptWhileRunning : texts.promptHint;
}

type AttachmentsProps = { readonly attached: readonly Attached[]; readonly onRemove: (gone: Attached) => void };

function Attachments({ attached, onRemove }: AttachmentsProps) {
  if (attached.length === 0) return null;
  return (
    <ul class="attachments" aria-label={texts.attachments}>
      {attached.map((each) => (
        <li key={each.id}>
          {each.preview !== undefined && <img src={each.preview} alt="" />}
          <span>{each.name}</span>
          <button
            type="button"
            class="icon-button small"
            aria-label={texts.removeFile(each.name)}
            onClick={() => onRemove(each)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

const heightMaxPx = 320;

function fitHeight(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, heightMaxPx)}px`;
}
