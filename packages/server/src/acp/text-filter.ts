/** Lets a streamed text through once it says something, without the blanks around it. */
import { withoutPlaceholder } from "@kedge/protocol";

export interface TextFilter {
  /** What can be shown by now; all that is given back is together the trimmed text, or nothing for a placeholder. */
  add(text: string): string;
}

export function createTextFilter(): TextFilter {
  let held = "";
  let isOpen = false;
  return {
    add(text) {
      held += text;
      if (!isOpen) {
        if (withoutPlaceholder(held) === "") return "";
        isOpen = true;
        held = held.trimStart();
      }
      const shown = held.trimEnd();
      held = held.slice(shown.length);
      return shown;
    },
  };
}
