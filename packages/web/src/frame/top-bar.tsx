/** The head of a view: the button of the list, the title, and what else the view puts there. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/frame.ts";
import { Icon } from "./icons.tsx";

export function TopBar({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const page = usePage();
  useEffect(() => {
    document.title = title === "" ? "kedge" : texts.pageTitle(title);
  }, [title]);
  return (
    <header class="top-bar">
      <button
        type="button"
        class="icon-button list-button"
        aria-label={texts.showSessions}
        onClick={() => page.state.update((state) => ({ ...state, isListOpen: true }))}
      >
        <Icon name="menu" />
      </button>
      <h1 class="top-title">{title}</h1>
      {children}
    </header>
  );
}
