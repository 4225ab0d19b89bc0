/** The cloud region of a model, where the user set one for it: `provider.<id>.regions`, patterns of model ids with `*`. */
import type { ProviderSetting } from "./provider-settings.ts";

/** That of the first pattern that matches, in the order in which they are written. */
export function regionOf(setting: ProviderSetting | undefined, model: string): string | undefined {
  return Object.entries(setting?.regions ?? {}).find(([pattern]) => matches(pattern, model))?.[1];
}

/** Without a backtracking expression: a pattern comes from a file, and a model id may be long. */
function matches(pattern: string, model: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return model === first;
  const last = rest.pop() ?? "";
  if (!model.startsWith(first) || model.length < first.length + last.length || !model.endsWith(last)) return false;
  const end = model.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = model.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
