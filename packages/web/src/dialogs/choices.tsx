/** The answers below a question: buttons, each with a letter of its own. Those that hold for long need Enter after it. */
import type { Choice } from "@kedge/tui/session";
import { useEffect, useRef } from "preact/hooks";
import { useEarlyGuard } from "./use-early-guard.ts";

export type ChoicesProps<Value extends string> = {
  readonly choices: readonly Choice<Value>[];
  /** A letter that was meant for something else must not give one of these: it only moves the focus there. */
  readonly confirmed: readonly Value[];
  readonly onChoose: (value: Value) => void;
  readonly onEscape: () => void;
};

export function Choices<Value extends string>({ choices, confirmed, onChoose, onEscape }: ChoicesProps<Value>) {
  const place = useRef<HTMLDivElement>(null);
  const { isEarly, isTaken } = useEarlyGuard();
  const buttons = () => [...(place.current?.querySelectorAll("button") ?? [])];
  useEffect(() => buttons()[0]?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = choices.findIndex(({ key }) => key === event.key.toLowerCase());
      const choice = choices[at];
      const here = buttons().indexOf(document.activeElement as HTMLButtonElement);
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (choice === undefined && event.key !== "Escape" && step === 0) return;
      event.preventDefault();
      if (step !== 0) buttons()[(Math.max(here, 0) + step + choices.length) % choices.length]?.focus();
      else if (!isTaken()) return;
      else if (choice === undefined) onEscape();
      else if (confirmed.includes(choice.value)) buttons()[at]?.focus();
      else onChoose(choice.value);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [choices]);
  return (
    <div class="choices" ref={place} aria-busy={isEarly}>
      {choices.map(({ value, key, label, about, tone }) => (
        <button
          key={value}
          type="button"
          class={tone === undefined ? "choice" : `choice ${tone}`}
          onClick={() => isTaken() && onChoose(value)}
        >
          <kbd>{key}</kbd>
          <span class="choice-label">{label}</span>
          {about !== undefined && <span class="choice-about">{about}</span>}
        </button>
      ))}
    </div>
  );
}
