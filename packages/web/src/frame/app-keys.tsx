/** Keys that work wherever the focus is. All of them are with a modifier, but for Escape, which interrupts. */
import { useEffect } from "preact/hooks";
import type { OpenDialog } from "../app/page.ts";
import { startAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";

type KeyRow = { readonly keys: string; readonly label: string };

/** As they are listed in the help. */
export const keyRows: readonly KeyRow[] = [
  { keys: "Enter", label: "Send the prompt; while the model works, steer it" },
  { keys: "Alt+Enter", label: "Queue the prompt until the run ends" },
  { keys: "Shift+Enter", label: "New line" },
  { keys: "Escape", label: "Interrupt the run" },
  { keys: "Shift+Tab", label: "Next permission mode, in the prompt" },
  { keys: "Ctrl+K", label: "Commands" },
  { keys: "Alt+M", label: "Choose a model" },
  { keys: "Alt+R", label: "Rewind" },
  { keys: "Alt+N", label: "New session" },
  { keys: "Alt+U", label: "Undo the last prompt" },
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
