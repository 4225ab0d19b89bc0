/** Keys that work wherever the focus is. All of them are with a modifier, but for Escape, which interrupts. */
import { useEffect } from "preact/hooks";
import type { OpenDialog } from "../app/page.ts";
import { startAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/frame.ts";

type KeyRow = { readonly keys: string; readonly label: string };

/** As they are listed in the help. */
export const keyRows: readonly KeyRow[] = [
  { keys: "Enter", label: texts.keySend },
  { keys: "Alt+Enter", label: texts.keyQueue },
  { keys: "Shift+Enter", label: texts.keyNewLine },
  { keys: "Escape", label: texts.keyInterrupt },
  { keys: "Shift+Tab", label: texts.keyMode },
  { keys: "Ctrl+K", label: texts.keyCommands },
  { keys: "Alt+M", label: texts.keyModel },
  { keys: "Alt+R", label: texts.keyRewind },
  { keys: "Alt+N", label: texts.keyNewSession },
  { keys: "Alt+U", label: texts.keyUndo },
];

const dialogs: { readonly [key: string]: OpenDialog } = { m: { name: "models" }, r: { name: "rewind" } };

export function AppKeys() {
  const page = usePage();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const isModal = document.querySelector("dialog[open]") !== null;
      const key = event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && key === "k") page.open({ name: "palette" });
      else if (event.altKey && !event.ctrlKey && dialogs[key] !== undefined) page.open(dialogs[key]);
      else if (event.altKey && !event.ctrlKey && key === "n") page.router.go(startAddress);
      else if (event.altKey && !event.ctrlKey && key === "u") void page.desk.undo();
      else if (event.key === "Escape" && !isModal && page.state.get().isListOpen) {
        page.state.update((state) => ({ ...state, isListOpen: false }));
      } else if (event.key === "Escape" && !isModal && isStoppable()) void page.desk.interrupt();
      else return;
      event.preventDefault();
    };
    const isStoppable = () => {
      const { activity, requests } = page.store.get();
      return activity.kind !== "idle" && activity.kind !== "compacting" && requests.length === 0;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [page]);
  return null;
}
