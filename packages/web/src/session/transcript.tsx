/** The conversation: pages of it as they are asked for, rows of it as they come into sight. */
import type { ClientState } from "@kedge/tui/session";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/session.ts";
import { MessageRow } from "./message-row.tsx";
import { NoticeRow } from "./notice-row.tsx";
import { transcriptRows } from "./transcript-rows.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

/** From here on the page before is read. */
const olderPx = 600;
/** So far back a message that the address names is looked for. */
const pagesMax = 100;

export function Transcript({ messageId }: { readonly messageId?: string | undefined }) {
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const sessionId = useSelected(page.store, (state) => state.session?.id);
  const messages = useSelected(page.store, (state) => state.messages);
  const notices = useSelected(page.store, (state) => state.notices);
  const hasOlder = useSelected(page.store, (state) => state.hasOlder);
  const rows = useMemo(() => transcriptRows(messages, notices), [messages, notices]);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { from, to, startPx, totalPx, measure, showRow, showEnd, isAtEnd } = useVirtualRows(place, keys);
  const isMissing = useWantedMessage(messageId, keys, showRow);
  useOlder(place, hasOlder);
  useEffect(showEnd, [sessionId]);
  return (
    <div class="transcript-place">
      <div class="transcript" ref={place} tabIndex={0} role="region" aria-label={texts.conversation}>
        {hasOlder && <p class="older">{texts.loadingEarlier}</p>}
        {isMissing && <p class="older">{texts.linkedMessageMissing}</p>}
        {sessionId !== undefined && rows.length === 0 && <p class="older">{texts.noMessages}</p>}
        <div class="rows" style={{ height: `${totalPx}px` }}>
          <div class="rows-shown" style={{ transform: `translateY(${startPx}px)` }}>
            {rows.slice(from, to).map((row) => (
              <div key={row.key} data-key={row.key} ref={measure} class={row.key === messageId ? "row wanted" : "row"}>
                {row.kind === "message" ? <MessageRow message={row.message} /> : <NoticeRow notice={row.notice} />}
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

function useOlder(place: { readonly current: HTMLDivElement | null }, hasOlder: boolean): void {
  const page = usePage();
  useEffect(() => {
    const element = place.current;
    if (element === null || !hasOlder) return;
    const onScroll = () => {
      if (element.scrollTop <= olderPx) void page.readOlder();
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [hasOlder, page]);
}

/** Pages back to the message of the address and shows it once. True when it is nowhere. */
function useWantedMessage(
  messageId: string | undefined,
  keys: readonly string[],
  showRow: (index: number) => void,
): boolean {
  const page = usePage();
  const shown = useRef<string | undefined>(undefined);
  const [missing, setMissing] = useState<string>();
  useEffect(() => {
    if (messageId === undefined || shown.current === messageId) return;
    const index = keys.indexOf(messageId);
    if (index >= 0) {
      shown.current = messageId;
      showRow(index);
      return;
    }
    if (keys.length === 0) return;
    void findBack(page.store.get, page.readOlder, messageId).then((isFound) => !isFound && setMissing(messageId));
  }, [messageId, keys]);
  return messageId !== undefined && missing === messageId;
}

async function findBack(state: () => ClientState, readOlder: () => Promise<void>, messageId: string): Promise<boolean> {
  for (let count = 0; count < pagesMax; count += 1) {
    if (state().messages.some(({ id }) => id === messageId)) return true;
    if (!state().hasOlder) return false;
    await readOlder();
  }
  return false;
}
