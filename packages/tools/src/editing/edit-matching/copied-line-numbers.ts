/** Takes line numbers out of a change that was copied from a listing together with them. */

export type ChangeTexts = { readonly oldString: string; readonly newString: string };

const numbered = /^ *(\d+)(\||→|\t|: ?)/;

/** Undefined unless every line of the old text has a number that follows the one before. */
export function withoutLineNumbers({ oldString, newString }: ChangeTexts): ChangeTexts | undefined {
  const oldLines = oldString.split("\n");
  const count = oldLines.at(-1) === "" ? oldLines.length - 1 : oldLines.length;
  const first = numbered.exec(oldLines[0] ?? "");
  if (first === null || count === 0) return undefined;
  const [, number = "", mark = ""] = first;
  // A colon behind a single number is code more often than a line number.
  if (count === 1 && mark.startsWith(":")) return undefined;
  for (let index = 0; index < count; index += 1) {
    const found = numbered.exec(oldLines[index] ?? "");
    if (found === null || Number(found[1]) !== Number(number) + index || !isSameMark(found[2], mark)) return undefined;
  }
  const strip = (line: string) => {
    const found = numbered.exec(line);
    return found !== null && isSameMark(found[2], mark) ? line.slice(found[0].length) : line;
  };
  return { oldString: oldLines.map(strip).join("\n"), newString: newString.split("\n").map(strip).join("\n") };
}

/** Behind the number of an empty line a space may be missing. */
function isSameMark(found: string | undefined, mark: string): boolean {
  return found?.charAt(0) === mark.charAt(0);
}
