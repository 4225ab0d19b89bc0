/** One language server on one root: starts with the first question, starts again after a crash a few times, then not. */
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";
import type { FoundProgram } from "../find-program.ts";
import { extensionOf, type ServerDefinition } from "../server-definition.ts";
import { createDiskChanges, type DiskChanges, samplesBelow } from "./disk-changes.ts";
import { createFreshDiagnostics, type FreshDiagnostics, languageOf, languagesOf } from "./fresh-diagnostics.ts";
import { createOpenDocuments, type OpenDocument, type OpenDocuments } from "./open-documents.ts";
import { type StartedServer, startServer } from "./start-server.ts";

export type ServerState = "starting" | "running" | "crashed" | "failed" | "stopped";

export type LanguageServer = {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly program: FoundProgram;
  state(): {
    readonly state: ServerState;
    readonly why?: string;
    readonly version?: string;
    readonly pid?: number;
    readonly restarts: number;
  };
  /** Undefined when nothing came before the signal aborted, or the server is not there. Never throws for it. */
  diagnose(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  /** The server as it knows the files on the disk now, for questions about them; a sentence part where it is not there. */
  ready(signal: AbortSignal): Promise<ReadyServer | { readonly problem: string }>;
  close(): Promise<void>;
};

export type ReadyServer = {
  readonly server: StartedServer;
  /** With the text on the disk; undefined for what is no text. */
  open(path: string): OpenDocument | undefined;
  /** A server that was given no file may know of no project, and finds no symbol of it: gives it a few. */
  openSamples(): void;
};

export type LanguageServerParts = {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly program: FoundProgram;
  readonly environment: () => { readonly [name: string]: string };
  readonly monotonicMs: () => number;
  readonly onChange?: (name: string, state: ServerState) => void;
};

const restartsMaxDefault = 3;
const backOffMs = 500;
/** Of different folders: a file beside the sources may belong to no project. */
const samplesMax = 4;

type Running = {
  readonly server: StartedServer;
  readonly documents: OpenDocuments;
  readonly fresh: FreshDiagnostics;
  /** Absent for a server that looks at one file alone. */
  readonly disk: DiskChanges | undefined;
};

export function createLanguageServer(parts: LanguageServerParts): LanguageServer {
  const { definition, root, program, monotonicMs, onChange = () => undefined } = parts;
  const restartsMax = definition.restartsMax ?? restartsMaxDefault;
  const closing = new AbortController();
  let starting: Promise<Running | undefined> | undefined;
  let running: Running | undefined;
  let state: ServerState = "starting";
  let why: string | undefined;
  let crashes = 0;
  /** Not started again before this. */
  let restMs = 0;

  const become = (next: ServerState, because?: string) => {
    state = next;
    why = because;
    onChange(definition.name, next);
  };

  function crashed(how: string): void {
    running = undefined;
    starting = undefined;
    if (closing.signal.aborted) return;
    crashes += 1;
    restMs = monotonicMs() + backOffMs * 2 ** (crashes - 1);
    become(crashes > restartsMax ? "failed" : "crashed", how);
  }

  async function start(): Promise<Running | undefined> {
    // Before the server reads anything, so that no change falls between the two.
    const disk = definition.looksAtOneFile
      ? undefined
      : createDiskChanges(root, {
          extensions: new Set(Object.keys(definition.languages)),
          names: new Set([...definition.markers, "package.json"]),
        });
    become("starting");
    const server = await startServer({ ...parts, environment: parts.environment() }, closing.signal);
    if ("problem" in server) {
      crashed(server.problem);
      return undefined;
    }
    const { languages } = definition;
    const documents = createOpenDocuments(server, (path) => languageOf(languages, path));
    const fresh = createFreshDiagnostics(server, { languages: languagesOf(languages), isOpen: documents.isOpen });
    running = { server, documents, fresh, disk };
    void server.ended.then(crashed);
    become("running");
    return running;
  }

  async function whenRunning(signal: AbortSignal): Promise<Running | undefined> {
    if (running !== undefined) return running;
    if (closing.signal.aborted || state === "failed" || monotonicMs() < restMs) return undefined;
    starting ??= start();
    return Promise.race([starting, aborted(signal)]);
  }

  function tellChanges({ server, documents, disk }: Running): void {
    documents.syncAll();
    // Also before the server asked for it: some ask only when they have read the project, and know its files by then.
    const changes = (disk?.take() ?? []).map(({ path, type }) => ({ uri: pathToFileURL(path).href, type }));
    if (changes.length > 0) server.notify("workspace/didChangeWatchedFiles", { changes });
  }

  return {
    definition,
    root,
    program,
    state() {
      const version = running?.server.version;
      const pid = running?.server.pid;
      return {
        state,
        restarts: Math.min(crashes, restartsMax),
        ...(why !== undefined && { why }),
        ...(version !== undefined && { version }),
        ...(pid !== undefined && { pid }),
      };
    },
    async diagnose(path, signal) {
      const found = await whenRunning(signal);
      if (found === undefined || signal.aborted) return undefined;
      tellChanges(found);
      const document = found.documents.sync(path);
      if (document === undefined) return undefined;
      // What a server answers with an error, or not at all, is no reason for a call to fail.
      return found.fresh.of(document, signal).catch(() => undefined);
    },
    async ready(signal) {
      const found = await whenRunning(signal);
      if (found === undefined) return { problem: why ?? "it did not start in time" };
      tellChanges(found);
      const { server, documents } = found;
      const isServed = (name: string) => definition.languages[extensionOf(name)] !== undefined;
      return {
        ...{ server, open: documents.sync },
        openSamples() {
          if (documents.isNew()) for (const path of samplesBelow(root, isServed, samplesMax)) documents.sync(path);
        },
      };
    },
    async close() {
      closing.abort();
      const found = running ?? (await starting);
      running = undefined;
      become("stopped");
      await found?.server.close();
    },
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
