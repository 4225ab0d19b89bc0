/** What a person chose for this browser: how the page looks. Kept in the browser, and nowhere else. */

import { themes } from "virtual:themes";
import { isJsonObject } from "@kedge/protocol";
import { createStateStore, type StateStore } from "@kedge/tui/session";

export type PageSettings = {
  /** A theme by name, or what the system wants. */
  readonly theme: string;
  readonly showsThinking: boolean;
  readonly hasDetails: boolean;
};

export const systemTheme = "system";
export const themeNames: readonly string[] = themes.map(({ name }) => name);

const usual: PageSettings = { theme: systemTheme, showsThinking: false, hasDetails: true };
const key = "kedge.settings";

export function openSettings({ localStorage, document }: Window): StateStore<PageSettings> {
  const store = createStateStore(readSettings(localStorage.getItem(key)));
  const show = ({ theme }: PageSettings) => {
    if (theme === systemTheme) delete document.documentElement.dataset["theme"];
    else {
      document.documentElement.dataset["theme"] = theme;
      // Tried again with the next change; until then the page has its usual colors.
      import("virtual:chosen-themes.css").catch(() => undefined);
    }
  };
  show(store.get());
  store.subscribe(
    (settings) => settings,
    (settings) => {
      localStorage.setItem(key, JSON.stringify(settings));
      show(settings);
    },
  );
  return store;
}

/** Whatever is there was written by some version of this page, or by hand. */
function readSettings(text: string | null): PageSettings {
  const kept = parsed(text ?? "{}");
  const { theme, showsThinking, hasDetails } = kept;
  return {
    theme: typeof theme === "string" && themeNames.includes(theme) ? theme : usual.theme,
    showsThinking: typeof showsThinking === "boolean" ? showsThinking : usual.showsThinking,
    hasDetails: typeof hasDetails === "boolean" ? hasDetails : usual.hasDetails,
  };
}

function parsed(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
