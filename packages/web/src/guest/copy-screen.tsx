/** A sealed copy of a session, opened in the browser and shown to read. */
import { cleanLine } from "@kedge/tui/session";
import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as texts from "../texts/guest.ts";
import { Notice } from "./guest-notice.tsx";
import { type OpenedCopy, openCopy } from "./open-copy.ts";
import { ReadOnlyTranscript } from "./read-only-transcript.tsx";

export type CopyScreenProps = { readonly address: string; readonly sealedWith: Uint8Array<ArrayBuffer> };

export function CopyScreen({ address, sealedWith }: CopyScreenProps) {
  const [opened, setOpened] = useState<OpenedCopy>();
  useEffect(() => void openCopy(address, sealedWith).then(setOpened), [address, sealedWith]);
  const title = opened?.ok === true ? cleanLine(opened.copy.title) || texts.untitled : "";
  useEffect(() => {
    if (title !== "") document.title = texts.pageTitle(title);
  }, [title]);
  if (opened === undefined) return <Notice title={texts.opening} />;
  if (!opened.ok) return <Notice title={texts.cannotOpen} text={opened.problem} />;
  const { messages, directory } = opened.copy;
  return (
    <div class="main">
      <main class="session">
        <header class="top-bar">
          <h1 class="top-title">{title}</h1>
          <span class="quiet">{texts.readOnly}</span>
        </header>
        <div class="session-columns">
          <div class="conversation">
            <Drawn>
              <ReadOnlyTranscript messages={messages} directory={directory} />
            </Drawn>
          </div>
        </div>
      </main>
    </div>
  );
}

/** A copy may contain anything, since whoever has a relay can upload one. */
class Drawn extends Component<{ readonly children: ComponentChildren }, { readonly isBroken?: boolean }> {
  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (this.state.isBroken !== true) return this.props.children;
    return <Notice title={texts.cannotOpen} text={texts.damaged} />;
  }
}
