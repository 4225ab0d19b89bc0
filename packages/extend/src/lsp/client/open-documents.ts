/** The files that a server has been given the text of, each with the version of what it was given last. */
import { readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { pathOf } from "./operations/shown-places.ts";
import type { StartedServer } from "./start-server.ts";

export type OpenDocument = {
  readonly uri: string;
  /** Of no other text that the server was ever given. */
  readonly version: number;
  readonly text: string;
  /** It is the first text of the file that the server was given. */
  readonly isFirst: boolean;
};

export type OpenDocuments = {
  /** Gives the server what is on the disk now. Undefined where there is no such text. */
  sync(path: string): OpenDocument | undefined;
  /** Those that changed on the disk without kedge's doing. */
  syncAll(): void;
  /** However the address is written. */
  isOpen(uri: string): boolean;
  /** No file was ever given to the server. */
  isNew(): boolean;
};

/** Texts are kept, so their number and size are bounded; the one that was not used for the longest time is closed. */
const documentsMax = 64;
const bytesMax = 2 * 1_024 * 1_024;

type Held = OpenDocument & { readonly stamp: string };

export function createOpenDocuments(
  server: Pick<StartedServer, "notify" | "capabilities">,
  languageOf: (path: string) => string,
): OpenDocuments {
  const held = new Map<string, Held>();
  const savesText = wantsSave(server);
  const known = new Set<string>();
  /** Counted over all files: one that is closed and opened again must not meet what was said of it before. */
  let version = 0;

  function close(path: string): void {
    const document = held.get(path);
    if (document === undefined) return;
    held.delete(path);
    server.notify("textDocument/didClose", { textDocument: { uri: document.uri } });
  }

  function open(path: string, text: string, stamp: string): Held {
    const oldest = held.size >= documentsMax ? held.keys().next().value : undefined;
    if (oldest !== undefined) close(oldest);
    version += 1;
    const document = { uri: pathToFileURL(path).href, version, text, stamp, isFirst: !known.has(path) };
    known.add(path);
    const textDocument = { uri: document.uri, languageId: languageOf(path), version, text };
    server.notify("textDocument/didOpen", { textDocument });
    held.set(path, document);
    return document;
  }

  function change(before: Held, text: string, stamp: string): Held {
    version += 1;
    const document = { uri: before.uri, version, text, stamp, isFirst: false };
    const textDocument = { uri: document.uri, version: document.version };
    server.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    if (savesText !== undefined)
      server.notify("textDocument/didSave", { textDocument: { uri: document.uri }, ...(savesText && { text }) });
    return document;
  }

  function sync(path: string): Held | undefined {
    const stamp = stampOf(path);
    const text = stamp === undefined ? undefined : textOf(path);
    if (stamp === undefined || text === undefined) {
      close(path);
      return undefined;
    }
    const before = held.get(path);
    if (before === undefined) return open(path, text, stamp);
    const now = before.text === text ? { ...before, stamp } : change(before, text, stamp);
    // Used last, so it is closed last.
    held.delete(path);
    held.set(path, now);
    return now;
  }

  return {
    sync,
    syncAll() {
      for (const [path, { stamp }] of [...held]) if (stampOf(path) !== stamp) sync(path);
    },
    isOpen: (uri) => held.has(pathOf(uri) ?? ""),
    isNew: () => known.size === 0,
  };
}

/** Undefined where it does not want to hear of saving; otherwise whether with the text. */
function wantsSave({ capabilities }: Pick<StartedServer, "capabilities">): boolean | undefined {
  const { textDocumentSync } = capabilities;
  if (typeof textDocumentSync !== "object" || !textDocumentSync.save) return undefined;
  return typeof textDocumentSync.save === "object" && textDocumentSync.save.includeText === true;
}

function stampOf(path: string): string | undefined {
  const stats = statsOf(path);
  if (stats === undefined || !stats.isFile() || stats.size > bytesMax) return undefined;
  return `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;
}

function textOf(path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    // No text, or gone or closed in this moment: then there is nothing to tell of it.
    if (error instanceof TypeError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function statsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A directory above it that may not be entered.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
