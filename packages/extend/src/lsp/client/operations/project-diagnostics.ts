/** Diagnostics of a whole project, file by file, within limits that the answer names. */
import type { ToolContext } from "@kedge/protocol";
import { diagnosticLines, type Found, isWorthTelling } from "../diagnostic-lines.ts";
import { filesBelow } from "../disk-changes.ts";
import type { LanguageServers, Serving } from "../language-servers.ts";
import { itemsMax } from "./shown-places.ts";

export type ProjectParts = {
  readonly servers: LanguageServers;
  readonly serving: (path: string) => readonly Serving[];
  /** Whether files of such a name are served at all, somewhere. */
  readonly isServed: (name: string) => boolean;
  readonly root: string;
  readonly shorten: (path: string) => string;
};

const filesMax = 1_000;
const lookedAtMax = 20_000;
const atOnce = 8;
const projectMsMax = 60_000;

export async function diagnoseProject(
  { servers, serving, isServed, root, shorten }: ProjectParts,
  context: Pick<ToolContext, "signal" | "reading">,
): Promise<string> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(projectMsMax)]);
  const mayRead = context.reading.below(root);
  const all = filesBelow(root, isServed, lookedAtMax);
  if (all === undefined) return `The project has more than ${lookedAtMax} source files; ask about single ones.`;
  const served = all.filter(mayRead).flatMap((path) => {
    const found = serving(path);
    return found.length === 0 ? [] : [{ path, found }];
  });
  const files = served.slice(0, filesMax);
  if (files.length === 0) return "No language server serves a file of this project.";
  const found: Found[] = [];
  let next = 0;
  let checked = 0;
  const work = async () => {
    for (let file = files[next++]; file !== undefined && !signal.aborted; file = files[next++]) {
      const { path } = file;
      for (const server of servers.serve(file.found)) {
        const diagnostics = await server.diagnose(path, signal);
        if (diagnostics === undefined) continue;
        checked += 1;
        for (const diagnostic of diagnostics.filter(isWorthTelling))
          found.push({ path, server: server.definition.name, diagnostic });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const lines = diagnosticLines(found, { max: itemsMax, shorten });
  const rest = served.length - checked;
  const head = `Checked ${checked} of ${served.length} ${served.length === 1 ? "file" : "files"}${rest > 0 ? "; the rest was not reached in time" : ""}.`;
  return [head, ...(lines.length === 0 ? ["No errors or warnings."] : lines)].join("\n");
}
