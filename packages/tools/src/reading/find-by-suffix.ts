/** Looks for the files of the workspace whose paths end like one that does not exist. */
import { relative, resolve, sep } from "node:path";
import { type RipgrepParts, runRipgrep, scopeArguments } from "../searching/ripgrep.ts";
import { shortPath } from "../tool-path.ts";

const searchTimeoutMs = 5_000;
const scope = { hidden: true, gitignore: true, gitDirectory: false };
const hitsMax = 20;

/** Paths relative to the working directory; none as well if the search could not finish, since then nothing is unique. */
export async function findBySuffix(
  parts: RipgrepParts,
  missing: { readonly path: string; readonly cwd: string; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const wanted = suffixOf(missing.path, missing.cwd);
  if (wanted === undefined) return [];
  const hits: string[] = [];
  const end = await runRipgrep(parts, {
    arguments: [...scopeArguments(scope), "--files", "--null"],
    roots: [missing.cwd],
    cwd: missing.cwd,
    signal: missing.signal,
    timeoutMs: searchTimeoutMs,
    separator: "\0",
    onRecord: (record) => {
      if (!record.endsWith(wanted)) return "more";
      hits.push(relative(missing.cwd, record));
      return hits.length >= hitsMax ? "enough" : "more";
    },
  });
  return end.kind === "complete" || end.kind === "enough" ? hits.sort() : [];
}

/** With a separator before it, so that only whole names fit. */
function suffixOf(path: string, cwd: string): string | undefined {
  const short = shortPath(resolve(cwd, path), cwd);
  if (short === "." || short === sep) return undefined;
  return short.startsWith(sep) ? short : sep + short;
}
