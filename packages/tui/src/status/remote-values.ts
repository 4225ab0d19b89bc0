/** Values as a server sent them, which no type has checked: what is not what it should be is shown as nothing. */
import { cleanLine } from "../screen/clean-text.ts";

export function remoteLine(value: unknown): string {
  return typeof value === "string" ? cleanLine(value) : "";
}

/** Only what has fields: an entry that is none would end the screen. */
export function remoteList<Entry extends object>(value: readonly Entry[] | undefined): readonly Entry[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
}
