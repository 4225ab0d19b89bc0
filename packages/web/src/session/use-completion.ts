/** Completion of commands and paths in the prompt: asks as one types, and puts the chosen answer in. */

import { FailureError } from "@kedge/protocol";
import { type CompletionItem, type CompletionQuestion, completedText, completionQuestion } from "@kedge/tui/session";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";

export type Completion = {
  readonly items: readonly CompletionItem[];
  readonly at: number;
  readonly choose: (item: CompletionItem) => void;
  /** True when the key was for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** The cursor may be elsewhere. */
  readonly look: () => void;
};

const itemsMax = 50;

export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  change: (text: string) => void,
): Completion {
  const page = usePage();
  const [items, setItems] = useState<readonly CompletionItem[]>([]);
  const [at, setAt] = useState(0);
  const [cursor, setCursor] = useState(0);
  const question = useRef<CompletionQuestion | undefined>(undefined);
  /** Put away by Escape until something else is typed. */
  const dismissed = useRef<string | undefined>(undefined);

  function close(): void {
    question.current = undefined;
    setItems([]);
  }

  useEffect(() => {
    const asked = completionQuestion(text, field.current?.selectionStart ?? text.length);
    if (asked === undefined || dismissed.current === text) return close();
    const giveUp = new AbortController();
    question.current = asked;
    page
      .commands()
      // Without a connection its code does not come; it is tried again with the next key.
      .catch(() => undefined)
      .then((commands) => commands?.complete(asked, giveUp.signal) ?? [])
      .then((found) => {
        if (giveUp.signal.aborted) return;
        setItems(found.slice(0, itemsMax));
        setAt(0);
      })
      .catch((error: unknown) => {
        if (giveUp.signal.aborted) return;
        if (!(error instanceof FailureError)) throw error;
        close();
      });
    return () => giveUp.abort();
  }, [text, cursor]);

  function choose(item: CompletionItem): void {
    const asked = question.current;
    const element = field.current;
    if (asked === undefined || element === null) return;
    const put = completedText(asked, item);
    const end = element.selectionStart;
    change(text.slice(0, asked.start) + put + text.slice(end));
    close();
    requestAnimationFrame(() => {
      element.focus();
      element.selectionStart = element.selectionEnd = asked.start + put.length;
      setCursor(asked.start + put.length);
    });
  }

  return {
    ...{ items, at, choose },
    look: () => setCursor(field.current?.selectionStart ?? 0),
    onKey(event) {
      if (items.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return false;
      const chosen = items[at];
      switch (event.key) {
        case "ArrowDown":
          setAt((at + 1) % items.length);
          return true;
        case "ArrowUp":
          setAt((at + items.length - 1) % items.length);
          return true;
        case "Tab":
          if (event.shiftKey || chosen === undefined) return false;
          choose(chosen);
          return true;
        case "Enter":
          // A whole command is sent, not completed.
          if (event.shiftKey || chosen === undefined || text === `/${chosen.value}`) return false;
          choose(chosen);
          return true;
        case "Escape":
          dismissed.current = text;
          close();
          return true;
        default:
          return false;
      }
    },
  };
}
