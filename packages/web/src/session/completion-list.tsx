/** The list above the prompt: what the text before the cursor can become. */
import { useEffect } from "preact/hooks";
import * as texts from "../texts/session.ts";
import type { Completion } from "./use-completion.ts";

export function CompletionList({ completion: { items, at, choose } }: { readonly completion: Completion }) {
  useEffect(() => document.getElementById(`completion-${at}`)?.scrollIntoView({ block: "nearest" }), [at, items]);
  return (
    <div id="completions" class="completions" role="listbox" aria-label={texts.completions} hidden={items.length === 0}>
      {items.map((item, index) => (
        <div
          key={item.value}
          id={`completion-${index}`}
          role="option"
          aria-selected={index === at}
          class="completion"
          onPointerDown={(event) => {
            event.preventDefault();
            choose(item);
          }}
        >
          <span>{item.label}</span>
          {item.detail !== undefined && <span class="completion-detail">{item.detail}</span>}
        </div>
      ))}
    </div>
  );
}
