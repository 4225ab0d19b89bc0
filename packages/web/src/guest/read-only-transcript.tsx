/** A conversation to read: the rows of the app without what only the owner of the session can do with them. */
import type { MessageView } from "@kedge/protocol";
import type { ClientState, Notice } from "@kedge/tui/session";
import { Component } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Look } from "../parts/look.ts";
import { createPageLook, Message } from "../parts/part.tsx";
import { NoticeRow } from "../session/notice-row.tsx";
import { transcriptRows } from "../session/transcript-rows.ts";
import { useVirtualRows } from "../session/use-virtual-rows.ts";
import * as texts from "../texts/guest.ts";

export type ReadOnlyTranscriptProps = {
  readonly messages: readonly MessageView[];
  readonly notices?: readonly Notice[];
  readonly directory: string;
  readonly tails?: ClientState["tails"];
  /** Where there are older messages; reads them. */
  readonly readOlder?: (() => void) | undefined;
};

/** From here on the page before is read. */
const olderPx = 600;
const none: readonly Notice[] = [];

export function ReadOnlyTranscript(props: ReadOnlyTranscriptProps) {
  const { messages, notices = none, directory, tails, readOlder } = props;
  const place = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => transcriptRows(messages, notices), [messages, notices]);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { from, to, startPx, totalPx, measure, showEnd, isAtEnd } = useVirtualRows(place, keys);
  const still = useMemo(() => createPageLook({ directory }), [directory]);
  const running = useMemo(
    () => createPageLook({ directory, tailOf: (callId) => tails?.get(callId)?.lines }),
    [directory, tails],
  );
  useEffect(() => {
    const element = place.current;
    if (element === null || readOlder === undefined) return;
    const onScroll = () => element.scrollTop <= olderPx && readOlder();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [readOlder]);
  return (
    <div class="transcript-place">
      <div class="transcript" ref={place} tabIndex={0} role="region" aria-label={texts.conversation}>
        {readOlder !== undefined && <p class="older">{texts.loadingEarlier}</p>}
        {rows.length === 0 && <p class="older">{texts.noMessages}</p>}
        <div class="rows" style={{ height: `${totalPx}px` }}>
          <div class="rows-shown" style={{ transform: `translateY(${startPx}px)` }}>
            {rows.slice(from, to).map((row) => (
              <div key={row.key} data-key={row.key} ref={measure} class="row">
                {row.kind === "notice" ? (
                  <NoticeRow notice={row.notice} />
                ) : (
                  <ReadMessage message={row.message} look={hasRunning(row.message) ? running : still} />
                )}
              </div>
            ))}
          </div>
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" class="button to-end" onClick={showEnd}>
          {texts.jumpToLatest}
        </button>
      )}
    </div>
  );
}

function hasRunning({ parts }: MessageView): boolean {
  return parts.some((part) => part.type === "tool" && part.state.status === "running");
}

type ReadMessageProps = { readonly message: MessageView; readonly look: Look };

/** A message that did not change is not drawn again. */
class ReadMessage extends Component<ReadMessageProps> {
  override shouldComponentUpdate({ message, look }: Readonly<ReadMessageProps>): boolean {
    return message !== this.props.message || look !== this.props.look;
  }

  override render() {
    const { message, look } = this.props;
    const isQueued = message.isQueued === true;
    return (
      <article
        class={`message ${message.role}${isQueued ? " queued" : ""}`}
        aria-label={message.role === "user" ? texts.prompt : texts.answer}
      >
        {isQueued && <p class="queued-head">{texts.queued}</p>}
        <Message message={message} look={look} />
      </article>
    );
  }
}
