/** What is shown before there is a conversation. */
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Logo } from "../frame/logo.tsx";

const examples = ["Explain how this project is built", "Find and fix a failing test", "Review my uncommitted changes"];

export function StartScreen() {
  const page = usePage();
  const directory = useSelected(page.state, (state) => state.directory);
  const offer = (text: string) => page.state.update((state) => ({ ...state, offered: { text } }));
  return (
    <div class="start">
      <Logo />
      <h2>What should we work on?</h2>
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
    </div>
  );
}
