/** A shared session as a guest sees it: who is there, the conversation, and the prompt where the link allows it. */
import { guestNameMax, type Participant } from "@kedge/protocol/room";
import { activityWords, cleanLine } from "@kedge/tui/session";
import { useCallback, useEffect } from "preact/hooks";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/guest.ts";
import { GuestPrompt } from "./guest-prompt.tsx";
import { ReadOnlyTranscript } from "./read-only-transcript.tsx";
import type { RoomState, RoomView } from "./room-view.ts";

export function RoomScreen({ view }: { readonly view: RoomView }) {
  const { store, project } = view;
  const title = useSelected(store, ({ session }) => session?.title) || texts.untitled;
  const messages = useSelected(store, (state) => state.messages);
  const notices = useSelected(store, (state) => state.notices);
  const tails = useSelected(store, (state) => state.tails);
  const hasOlder = useSelected(store, (state) => state.hasOlder);
  const state = useSelected(view.room, (each) => each);
  const readOlder = useCallback(() => void view.readOlder(), [view]);
  useEffect(() => {
    document.title = texts.pageTitle(title);
  }, [title]);
  return (
    <div class="main">
      <ConnectionLine state={state} />
      <main class="session">
        <header class="top-bar">
          <h1 class="top-title">{cleanLine(title)}</h1>
          <span class="quiet">{cleanLine(project)}</span>
          <People state={state} />
        </header>
        <div class="session-columns">
          <div class="conversation">
            <ReadOnlyTranscript
              {...{ messages, notices, tails, directory: project }}
              readOlder={hasOlder ? readOlder : undefined}
            />
            <div class="dock">
              <ActivityLine view={view} />
              <Dock view={view} state={state} />
            </div>
          </div>
        </div>
      </main>
    </div>
  );
}

function Dock({ view, state: { connection, you } }: { readonly view: RoomView; readonly state: RoomState }) {
  if (connection === "ended") return null;
  if (you.rights === "full") return <GuestPrompt view={view} isConnected={connection === "connected"} />;
  return <p class="watching">{texts.watching}</p>;
}

function ConnectionLine({ state: { connection, reason = "" } }: { readonly state: RoomState }) {
  return (
    <div class="connection" role="status" data-room={connection}>
      {connection === "reconnecting" && <p>{texts.connectionLost}</p>}
      {connection === "host-away" && <p>{texts.hostAway}</p>}
      {connection === "ended" && (
        <p>
          {texts.ended} {cleanLine(reason)}.
        </p>
      )}
    </div>
  );
}

function People({ state: { you, participants } }: { readonly state: RoomState }) {
  const others = participants.filter(({ guest }) => guest !== you.guest);
  return (
    <ul class="people" aria-label={texts.guests}>
      <li>
        {nameOf(you)} {texts.you}
      </li>
      {others.map((each) => (
        <li key={each.guest}>
          {nameOf(each)}
          {each.rights === "view" && " (watching)"}
        </li>
      ))}
    </ul>
  );
}

/** Chosen by whoever joined. */
function nameOf({ name }: Participant): string {
  return cleanLine(name).slice(0, guestNameMax);
}

function ActivityLine({ view: { store } }: { readonly view: RoomView }) {
  const activity = useSelected(store, (state) => state.activity);
  const isAsked = useSelected(store, (state) => state.requests.length > 0);
  const { kind, lastSignAt } = activity;
  if (kind === "idle" && !isAsked) return <div class="activity" role="status" />;
  // Time is left out: the clock of the host is another one.
  const words = isAsked
    ? texts.waitingForHost
    : activityWords(activity, { now: lastSignAt, separator: " · ", isWatching: true });
  return (
    <div class="activity">
      <span class={isAsked ? "pulse still" : "pulse"} aria-hidden="true" />
      <span role="status">{words}</span>
    </div>
  );
}
