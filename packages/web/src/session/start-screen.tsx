/** What is shown before there is a conversation. */
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Logo } from "../frame/logo.tsx";
import * as texts from "../texts/session.ts";
import { NoticeRow } from "./notice-row.tsx";

const examples = [texts.startExplain, texts.startFix, texts.startReview];

/** Why nothing began: there is no conversation yet that it could stand in. */
const noticesMax = 3;

export function StartScreen() {
  const page = usePage();
  const directory = useSelected(page.state, (state) => state.directory);
  const notices = useSelected(page.store, (state) => state.notices);
  const offer = (text: string) => page.state.update((state) => ({ ...state, offered: { text } }));
  return (
    <div class="start">
      <Logo />
      <h2>{texts.startQuestion}</h2>
      <p class="start-place">{directory}</p>
      <ul class="start-examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" class="button" onClick={() => offer(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
      <div class="start-notices">
        {notices.slice(-noticesMax).map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </div>
    </div>
  );
}
