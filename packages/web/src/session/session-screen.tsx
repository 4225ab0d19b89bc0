/** One session: its conversation, what waits for an answer, and the prompt. Without one, the place where it begins. */
import type { ClientState } from "@kedge/tui/session";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { RequestPanel } from "../dialogs/request-panel.tsx";
import { TopBar } from "../frame/top-bar.tsx";
import * as texts from "../texts/session.ts";
import { ActivityBar } from "./activity-bar.tsx";
import { Details } from "./details.tsx";
import { PromptBox } from "./prompt-box.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { StartScreen } from "./start-screen.tsx";
import { Transcript } from "./transcript.tsx";

const titleOf = ({ session }: ClientState) => session?.title ?? "";

export function SessionScreen({ messageId }: { readonly messageId?: string | undefined }) {
  const page = usePage();
  const address = useSelected(page.router.address, (each) => each);
  const title = useSelected(page.store, titleOf);
  const isOpen = useSelected(page.store, (state) => state.session !== undefined);
  const hasDetails = useSelected(page.settings, (settings) => settings.hasDetails);
  const isWanted = address.kind === "session";
  return (
    <main id="content" class="session" tabIndex={-1}>
      <TopBar title={isWanted ? title || texts.untitled : texts.newSession}>{isOpen && <SessionMenu />}</TopBar>
      <div class="session-columns">
        <div class="conversation">
          {isWanted ? <Transcript messageId={messageId} /> : <StartScreen />}
          <div class="dock">
            <ActivityBar />
            <RequestPanel />
            <PromptBox />
          </div>
        </div>
        {isOpen && hasDetails && <Details />}
      </div>
    </main>
  );
}
