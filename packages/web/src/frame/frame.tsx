/** What stands around every view: the list of sessions, the head with the state of the connection, and the dialogs. */
import { useEffect } from "preact/hooks";
import type { Address } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Dialogs } from "../dialogs/dialogs.tsx";
import { SessionScreen } from "../session/session-screen.tsx";
import * as texts from "../texts/frame.ts";
import { AppKeys } from "./app-keys.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { SideBar } from "./side-bar.tsx";
import { ViewPage } from "./view-page.tsx";

export function Frame() {
  const page = usePage();
  const address = useSelected(page.router.address, (each) => each);
  const isListOpen = useSelected(page.state, (state) => state.isListOpen);
  const stream = useSelected(page.state, (state) => state.stream);
  const sessionId = address.kind === "session" ? address.sessionId : undefined;
  useEffect(() => {
    // A view beside the session leaves it as it is, so that one can come back to it.
    if (address.kind === "view" || stream === "signed-out") return;
    page.show(sessionId).catch((error: unknown) => page.notice("error", sentenceOf(error)));
  }, [sessionId, address.kind === "view", stream === "signed-out"]);
  useEffect(() => page.state.update((state) => ({ ...state, isListOpen: false })), [address]);
  return (
    <div class={isListOpen ? "frame list-open" : "frame"}>
      <a class="skip" href="#content">
        {texts.skipToContent}
      </a>
      <SideBar sessionId={sessionId} />
      <div class="shade" onClick={() => page.state.update((state) => ({ ...state, isListOpen: false }))} />
      <div class="main">
        <ConnectionBar />
        <Content address={address} />
      </div>
      <Dialogs />
      <AppKeys />
    </div>
  );
}

function Content({ address }: { readonly address: Address }) {
  switch (address.kind) {
    case "start":
      return <SessionScreen />;
    case "session":
      return <SessionScreen messageId={address.messageId} />;
    case "view":
      return <ViewPage path={address.path} rest={address.rest} hash={address.hash} />;
    case "unknown":
      return (
        <main id="content" class="empty" tabIndex={-1}>
          <h1>{texts.pageNotFound}</h1>
          <p>{texts.nothingAt(address.path)}</p>
          <a class="button" href="/app">
            {texts.startSession}
          </a>
        </main>
      );
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
