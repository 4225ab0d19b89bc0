/** What the beginning of a text makes of it: a command, a line for the shell, a note, or just a prompt. */
import { promptTexts } from "../texts/terminal.ts";
import type { ForegroundToken } from "../theme/theme.ts";

export type PromptMode = "plain" | "command" | "memory" | "shell" | "privateShell";

export function promptMode(text: string): PromptMode {
  if (text.startsWith("!!")) return "privateShell";
  if (text.startsWith("!")) return "shell";
  if (text.startsWith("#")) return "memory";
  return text.startsWith("/") ? "command" : "plain";
}

export type Border = { readonly token: ForegroundToken; readonly label?: string };

/** The border of a text that is no prompt tells so; the app's own border is for all others. */
export function borderOf(mode: PromptMode, own: Border): Border {
  switch (mode) {
    case "shell":
      return { token: "bashMode", label: promptTexts.shell };
    case "privateShell":
      return { token: "bashMode", label: promptTexts.privateShell };
    case "memory":
      return { token: own.token, label: promptTexts.note };
    case "command":
    case "plain":
      return own;
  }
}
