/**
 * Asks a server what is wrong with a file as it is now. Answers that may be about an older text are passed over: pulled
 * ones belong to the request behind the text, pushed ones count if they name its version.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject } from "@kedge/protocol";
import { ResponseError } from "vscode-jsonrpc/node";
import type { Diagnostic, DocumentDiagnosticReport, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import { extensionOf } from "../server-definition.ts";
import type { OpenDocument } from "./open-documents.ts";
import { readDiagnostics } from "./read-diagnostics.ts";
import { isOffered, type StartedServer } from "./start-server.ts";

export type FreshDiagnostics = {
  /** Undefined when nothing came before the signal aborted. */
  of(document: OpenDocument, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
};

/** Errors of the protocol after which the same question is answered, for a text that did not change. */
const tryAgainCodes: ReadonlySet<number> = new Set([-32_801, -32_802]);
const attemptsMax = 5;
const attemptMs = 50;
/** A server that names no versions may tell in several pieces; after this silence it has said all. */
const silenceMs = 250;
/** The same for what was said before the server had the text for certain. */
const doubtMs = 1_000;

type Pushed = {
  readonly version: number | undefined;
  /** As they were sent. */
  readonly diagnostics: unknown;
  readonly order: number;
};

const methodNotFound = -32_601;

export type FreshDiagnosticsParts = {
  /** The language ids that a server may name in a selector. */
  readonly languages: readonly string[];
  /** Whether kedge opened the file: nothing is kept of others, of which a server may tell without end. */
  readonly isOpen: (uri: string) => boolean;
};

export function createFreshDiagnostics(
  server: StartedServer,
  { languages, isOpen }: FreshDiagnosticsParts,
): FreshDiagnostics {
  const pushed = new Map<string, Pushed>();
  let waiting = new Set<() => void>();
  let order = 0;
  let namesVersions = false;
  /** It offers to be asked and then does not know the question. */
  let isPullUnknown = false;
  const mayPull = () => !isPullUnknown && canPull(server, languages);
  const wake = () => {
    const woken = waiting;
    waiting = new Set();
    for (const each of woken) each();
  };
  server.onNotification("textDocument/publishDiagnostics", (params) => {
    if (!isPublished(params)) return;
    order += 1;
    const { uri, version, diagnostics } = params;
    namesVersions ||= typeof version === "number";
    if (!isOpen(uri)) return;
    pushed.set(sameUri(uri), { version: version ?? undefined, diagnostics, order });
    wake();
  });
  server.onRegistration(wake);

  /** With something new, or when nobody waits any more. */
  const news = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });

  async function pull(document: OpenDocument, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    const { uri } = document;
    const params = { textDocument: { uri } };
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const report = await server.request<DocumentDiagnosticReport | null>("textDocument/diagnostic", params, signal);
        // "Unchanged" from a result that nobody named says nothing of this text.
        return report?.kind === "full" ? read(report.items, document) : undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (error instanceof ResponseError && error.code === methodNotFound) {
          isPullUnknown = true;
          return pushedOf(document, signal);
        }
        if (attempt >= attemptsMax || !isTryAgain(error)) throw error;
        await wait(attemptMs * attempt);
      }
    }
    return undefined;
  }

  /** What the server says before it answers this may be about an older text. */
  async function textArrived(signal: AbortSignal): Promise<void> {
    // Every server must answer that it does not know it, behind the text that was sent before.
    await server.request("$/kedge/arrived", {}, signal).catch(() => undefined);
  }

  async function pushedFor(
    document: OpenDocument,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[] | "pull" | undefined> {
    const key = sameUri(document.uri);
    const earlier = order;
    let arrived: number | undefined;
    if (!namesVersions) {
      void textArrived(signal).then(() => {
        arrived = order;
      });
    }
    while (!signal.aborted) {
      if (mayPull()) return "pull";
      const found = pushed.get(key);
      if (found?.version === document.version) return read(found.diagnostics, document);
      if (found !== undefined && found.version === undefined && !namesVersions && found.order > earlier) {
        const isCertain = document.isFirst || (arrived !== undefined && found.order > arrived);
        if (await isLast(key, found.order, isCertain ? silenceMs : doubtMs, signal))
          return read(found.diagnostics, document);
      } else {
        await news(signal);
      }
    }
    return undefined;
  }

  /** True when nothing further was said about the file for so long. */
  async function isLast(key: string, last: number, silence: number, signal: AbortSignal): Promise<boolean> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(silence)]);
    while (!limit.aborted) {
      await news(limit);
      if ((pushed.get(key)?.order ?? 0) > last) return false;
    }
    return !signal.aborted;
  }

  const read = (diagnostics: unknown, { text }: OpenDocument) =>
    readDiagnostics(diagnostics, { text, encoding: server.encoding });

  async function pushedOf(document: OpenDocument, signal: AbortSignal) {
    const answer = await pushedFor(document, signal);
    return answer === "pull" ? pull(document, signal) : answer;
  }

  return {
    of: (document, signal) => (mayPull() ? pull(document, signal) : pushedOf(document, signal)),
  };
}

/** Offered from the start or registered later, for these files or for all. */
function canPull(server: StartedServer, languages: readonly string[]): boolean {
  if (isOffered(server.capabilities.diagnosticProvider)) return true;
  return server.registrations().some(({ method, options }) => {
    if (method !== "textDocument/diagnostic") return false;
    const selector = isJsonObject(options) ? options["documentSelector"] : undefined;
    if (!Array.isArray(selector)) return true;
    return selector.some((filter) => {
      if (typeof filter === "string") return languages.includes(filter);
      const language = isJsonObject(filter) ? filter["language"] : undefined;
      return language === undefined || languages.includes(String(language));
    });
  });
}

function isTryAgain(error: unknown): boolean {
  return error instanceof ResponseError && tryAgainCodes.has(error.code);
}

function isPublished(params: unknown): params is PublishDiagnosticsParams {
  return isJsonObject(params) && typeof params["uri"] === "string" && Array.isArray(params["diagnostics"]);
}

/** Servers write the same address in several ways: with escapes or without, a drive in either case. */
function sameUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The language ids that a server may name in a selector. */
export function languagesOf(languages: { readonly [extension: string]: string }): readonly string[] {
  return [...new Set(Object.values(languages))];
}

export function languageOf(languages: { readonly [extension: string]: string }, path: string): string {
  return languages[extensionOf(path)] ?? "plaintext";
}
