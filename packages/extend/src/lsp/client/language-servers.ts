/** All language servers of a workspace: finds those for a file, starts them lazily, and tells what they find. */
import type { FoundProgram } from "../find-program.ts";
import type { ServerDefinition } from "../server-definition.ts";
import { diagnosticLines, type Found, isWorthTelling } from "./diagnostic-lines.ts";
import { createLanguageServer, type LanguageServer, type LanguageServerParts } from "./language-server.ts";

/** What serves a file here. */
export type Serving = {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly program: FoundProgram;
};

export type LanguageServersParts = Pick<LanguageServerParts, "environment" | "monotonicMs" | "onChange"> & {
  readonly shorten: (path: string) => string;
};

export type LanguageServers = {
  /** Those for a file, in the order given; each is made once. */
  serve(serving: readonly Serving[]): readonly LanguageServer[];
  /** Lines about the files, errors first; never older than the files are now. */
  diagnose(files: readonly ServedFile[], signal: AbortSignal): Promise<readonly string[]>;
  running(): readonly LanguageServer[];
  /** Ends a server, so that the next question starts it again, whatever happened before. */
  restart(name: string): Promise<number>;
  close(): Promise<void>;
};

export type ServedFile = { readonly path: string; readonly serving: readonly Serving[] };

const diagnosticsMax = 20;
/** Nobody waits longer after an edit. */
const diagnosticsMsMax = 3_000;
/** Each takes memory and a processor; the one that was not asked for the longest time is ended. */
const serversMax = 8;

export function createLanguageServers(parts: LanguageServersParts): LanguageServers {
  const servers = new Map<string, LanguageServer>();

  function serve(serving: readonly Serving[]): readonly LanguageServer[] {
    return serving.map((each) => {
      const key = `${each.definition.name}\0${each.root}`;
      const found = servers.get(key) ?? createLanguageServer({ ...parts, ...each });
      // Asked last, so it is ended last.
      servers.delete(key);
      servers.set(key, found);
      endOldest();
      return found;
    });
  }

  function endOldest(): void {
    if (servers.size <= serversMax) return;
    const [oldest] = servers;
    if (oldest === undefined) return;
    servers.delete(oldest[0]);
    void oldest[1].close();
  }

  async function diagnoseFile({ path, serving }: ServedFile, signal: AbortSignal): Promise<readonly Found[]> {
    const wanted = serve(serving).filter(({ definition }) => definition.diagnoses !== false);
    const found = await Promise.all(wanted.map((server) => server.diagnose(path, signal)));
    return found.flatMap((diagnostics, index) =>
      (diagnostics ?? []).filter(isWorthTelling).map((diagnostic) => {
        const server = wanted[index]?.definition.name ?? "";
        return { path, server, diagnostic };
      }),
    );
  }

  return {
    serve,
    async diagnose(files, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(diagnosticsMsMax)]);
      const found = await Promise.all(files.map((file) => diagnoseFile(file, limit)));
      return diagnosticLines(found.flat(), { max: diagnosticsMax, shorten: parts.shorten });
    },
    running: () => [...servers.values()],
    async restart(name) {
      const ended = [...servers].filter(([, { definition }]) => definition.name === name);
      for (const [key] of ended) servers.delete(key);
      await Promise.all(ended.map(([, server]) => server.close()));
      return ended.length;
    },
    async close() {
      const all = [...servers.values()];
      servers.clear();
      await Promise.all(all.map((server) => server.close()));
    },
  };
}
