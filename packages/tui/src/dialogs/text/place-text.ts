/** A directory in few columns: its last names are what tells it from others. */
import { cleanLine } from "../../screen/clean-text.ts";

const namesMax = 2;

export function placeText(directory: string, ellipsis: string): string {
  const names = cleanLine(directory).split("/");
  return names.length <= namesMax + 1 ? names.join("/") : [ellipsis, ...names.slice(-namesMax)].join("/");
}
