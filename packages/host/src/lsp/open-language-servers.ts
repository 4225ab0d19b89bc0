/** Language servers of this place of work: diagnostics after writes, the `lsp` tool, and their state for people. */
import { relative, sep } from "node:path";
import type { LanguageServers } from "@kedge/extend/lsp-client";
import type { FileUpkeep, ToolSource } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { type FindServers, type FindServersParts, findServers } from "./find-servers.ts";

export type LanguageServerParts = FindServersParts & {
  /** Without secrets; ties what is started to this process. */
  readonly environment: () => { readonly [name: string]: string };
  readonly monotonicMs: () => number;
  readonly onNotice: (sentence: string) => void;
};

export type OpenedLanguageServers = Pick<FileUpkeep, "diagnose"> & {
  readonly found: FindServers;
  /** Those that were started; undefined before the first one. */
  readonly opened: () => LanguageServers | undefined;
  readonly toolSources: readonly ToolSource[];
  close(): Promise<void>;
};

const none: readonly string[] = [];

/** Nothing is started or loaded before a file is written that a server serves. */
export function openLanguageServers(parts: LanguageServerParts): OpenedLanguageServers {
  const { root, environment, monotonicMs, onNotice } = parts;
  const found = findServers(parts, readJson);
  for (const { name, why } of found.problems) onNotice(`The language server ${name} is not used: ${why}.`);
  let opened: LanguageServers | undefined;
  const shorten = (path: string) => (path.startsWith(root + sep) ? relative(root, path) : path);

  async function open(): Promise<LanguageServers> {
    const { createLanguageServers } = await import("@kedge/extend/lsp-client");
    opened ??= createLanguageServers({ environment, monotonicMs, shorten });
    return opened;
  }

  return {
    found,
    opened: () => opened,
    toolSources: [],
    async diagnose(paths, signal) {
      for (const path of paths) found.written(path);
      const files = paths.flatMap((path) => {
        const serving = found.serving(path);
        return serving.length === 0 ? [] : [{ path, serving }];
      });
      return files.length === 0 ? none : (await open()).diagnose(files, signal);
    },
    close: async () => opened?.close(),
  };
}

/** Nothing for a file that cannot be read or is no JSON; whoever validates it says why. */
function readJson(path: string): unknown {
  const read = readSettingsText(path);
  if (!read.ok) return undefined;
  try {
    return JSON.parse(read.text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
