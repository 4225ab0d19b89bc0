/** Language servers of this place of work: diagnostics after writes, the `lsp` tool, and their state for people. */
import { relative, sep } from "node:path";
import { createLspTool } from "@kedge/extend/lsp";
import type { FoundSymbol, LanguageServers, OperationParts, ServerState } from "@kedge/extend/lsp-client";
import { type FileUpkeep, stripTerminalControls, type ToolSource } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { type FindServers, type FindServersParts, findServers, mayBeExpected } from "./find-servers.ts";

export type LanguageServerParts = FindServersParts & {
  /** Without secrets; ties what is started to this process. */
  readonly environment: () => { readonly [name: string]: string };
  readonly monotonicMs: () => number;
  readonly onNotice: (sentence: string) => void;
};

export type OpenedLanguageServers = Pick<FileUpkeep, "diagnose"> & {
  /** What there is; looked for with the first question. */
  readonly found: () => FindServers;
  /** Those that were started; undefined before the first one. */
  readonly opened: () => LanguageServers | undefined;
  readonly toolSources: readonly ToolSource[];
  /** Symbols of the workspace by name; none where no server can be asked. */
  symbols(query: string, signal: AbortSignal): Promise<readonly FoundSymbol[]>;
  /** Told when a server starts, runs, crashes or ends. */
  subscribe(changed: (name: string, state: ServerState) => void): () => void;
  close(): Promise<void>;
};

const none: readonly string[] = [];

/** Nothing is started or loaded before a file is written that a server serves, or somebody asks. */
export function openLanguageServers(parts: LanguageServerParts): OpenedLanguageServers {
  const { root, environment, monotonicMs, onNotice } = parts;
  const shorten = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);
  let finder: FindServers | undefined;
  let opened: LanguageServers | undefined;
  const changed = new Set<() => void>();
  const followers = new Set<(name: string, state: ServerState) => void>();

  function found(): FindServers {
    if (finder !== undefined) return finder;
    finder = findServers(parts, (path) => readJson(path, onNotice));
    for (const { name, why } of finder.problems)
      onNotice(stripTerminalControls(`The language server ${name} is not used: ${why}.`));
    return finder;
  }

  async function open(): Promise<LanguageServers> {
    const { createLanguageServers } = await import("@kedge/extend/lsp-client");
    if (opened !== undefined) return opened;
    opened = createLanguageServers({
      ...{ environment, monotonicMs, shorten },
      onChange(name, state) {
        for (const follower of followers) follower(name, state);
      },
    });
    for (const tell of changed) tell();
    return opened;
  }

  const operationParts = async (): Promise<OperationParts> => ({
    ...{ servers: await open(), root, shorten },
    serving: (path) => found().serving(path),
    expected: () => found().expected(),
    isServed: (name) => found().isServed(name),
    whyNot: (path) => found().whyNot(path),
  });

  const tool = createLspTool(async (input, context) => {
    const { runOperation } = await import("@kedge/extend/lsp-client");
    return runOperation(input, await operationParts(), context);
  });
  /** Offered where a server has work: the project shows it, or one was started for a file. */
  const toolSource: ToolSource = {
    name: "language servers",
    kind: "built-in",
    open() {
      const isExpected = mayBeExpected(parts) && found().expected().length > 0;
      return {
        tools: () => (isExpected || opened !== undefined ? [tool] : []),
        subscribe(tell) {
          changed.add(tell);
          return () => changed.delete(tell);
        },
      };
    },
  };

  return {
    found,
    opened: () => opened,
    toolSources: parts.settings === false ? [] : [toolSource],
    async diagnose(paths, signal) {
      if (parts.settings === false) return none;
      const files = paths.flatMap((path) => {
        found().written(path);
        const serving = found().serving(path);
        return serving.length === 0 ? [] : [{ path, serving }];
      });
      return files.length === 0 ? none : (await open()).diagnose(files, signal);
    },
    async symbols(query, signal) {
      if (parts.settings === false || (opened === undefined && found().expected().length === 0)) return [];
      const { findWorkspaceSymbols } = await import("@kedge/extend/lsp-client");
      return (await findWorkspaceSymbols(query, await operationParts(), signal)) ?? [];
    },
    subscribe(follower) {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    close: async () => opened?.close(),
  };
}

/** Nothing for a file that cannot be used; the user reads why. */
function readJson(path: string, onNotice: (sentence: string) => void): unknown {
  const read = readSettingsText(path);
  if (!read.ok) {
    onNotice(`${path} ${read.why}.`);
    return undefined;
  }
  try {
    return JSON.parse(read.text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    onNotice(`${path} is not valid JSON. Its language servers are not used.`);
    return undefined;
  }
}
