/** The list of sessions with its search, the way to a new one, and the side views. */
import { ageText, cleanLine, type SessionFamily, sessionFamilies, stateWords } from "@kedge/tui/session";
import { useEffect, useRef } from "preact/hooks";
import { sessionAddress, startAddress, viewAddress } from "../app/router.ts";
import type { ListingState } from "../app/session-listing.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/frame.ts";
import { views } from "../views/index.ts";
import { Icon } from "./icons.tsx";
import { Logo } from "./logo.tsx";

export function SideBar({ sessionId }: { readonly sessionId: string | undefined }) {
  const page = usePage();
  const listing = useSelected(page.listing.state, (state) => state);
  const directory = useSelected(page.state, (state) => state.directory);
  const viewPath = useSelected(page.router.address, (each) => (each.kind === "view" ? each.path : undefined));
  const isListOpen = useSelected(page.state, (state) => state.isListOpen);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isListOpen) return;
    // On a narrow screen it lies above the page: keys go on inside of it, and then where they were.
    const before = document.activeElement;
    place.current?.querySelector("a")?.focus();
    return () => {
      const isHere = place.current?.contains(document.activeElement) || document.activeElement === document.body;
      if (isHere && before instanceof HTMLElement) before.focus();
    };
  }, [isListOpen]);
  return (
    <nav class="side-bar" aria-label={texts.sideBar} ref={place}>
      <div class="side-head">
        <a class="brand" href={startAddress}>
          <Logo />
          <span>kedge</span>
        </a>
        <a class="icon-button" href={startAddress} aria-label={texts.newSession} title={texts.newSession}>
          <Icon name="plus" />
        </a>
      </div>
      <p class="side-place" title={directory}>
        {directory.split("/").at(-1)}
      </p>
      <label class="search">
        <Icon name="search" />
        <span class="hidden-text">{texts.searchSessions}</span>
        <input
          type="search"
          placeholder={texts.searchSessions}
          value={listing.text}
          onInput={({ currentTarget }) => page.listing.search(currentTarget.value)}
        />
      </label>
      <SessionTree listing={listing} sessionId={sessionId} />
      {views.length > 0 && (
        <ul class="side-views">
          {views.map(({ path, title }) => (
            <li key={path}>
              <a href={viewAddress(path)} aria-current={path === viewPath ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

type TreeProps = { readonly listing: ListingState; readonly sessionId: string | undefined };

function SessionTree({ listing, sessionId }: TreeProps) {
  const { sessions, isRead, text, problem } = listing;
  if (problem !== undefined && !isRead) return <p class="side-empty">{problem}</p>;
  if (sessions.length === 0) {
    if (!isRead) return <p class="side-empty">{texts.loading}</p>;
    return <p class="side-empty">{text === "" ? texts.noSessions : texts.noMatchingSessions}</p>;
  }
  const families = sessionFamilies(sessions, Date.now());
  const groups = Map.groupBy(families, ({ group }) => group);
  return (
    <div class="side-list">
      {[...groups].map(([group, members]) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>{members.flatMap((family) => familyRows(family, { listing, sessionId }))}</ul>
        </section>
      ))}
    </div>
  );
}

function familyRows({ members }: SessionFamily, { listing, sessionId }: TreeProps) {
  return members.map(({ session, depth }) => {
    const isWaiting = listing.waiting.has(session.sessionId);
    const state = isWaiting ? texts.needsYou : stateWords[listing.statuses[session.sessionId]?.state ?? "idle"];
    const isHere = session.sessionId === sessionId;
    return (
      <li key={session.sessionId} style={{ "--depth": Math.min(depth, 6) }}>
        <a
          class={depth > 0 ? "session-link fork" : "session-link"}
          href={sessionAddress(session.sessionId)}
          aria-current={isHere ? "page" : undefined}
        >
          <span class="session-title">{cleanLine(session.title) || texts.untitled}</span>
          <span class={isWaiting ? "session-state waiting" : "session-state"}>
            {state === "" ? ageText(Date.now() - session.updatedAt) : state}
          </span>
        </a>
      </li>
    );
  });
}
