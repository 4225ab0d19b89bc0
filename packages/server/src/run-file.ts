/** The file by which clients of one user find the server of a directory: who runs it, where, and a token to prompt with. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FailureError, isJsonObject, isSpokenProtocol, reasonOf } from "@kedge/protocol";
import { askHealth } from "./ask-health.ts";
import type { HostAccess, OwnFiles } from "./host-access.ts";
import { projectHashOf } from "./server-port.ts";

export type RunFileAccess = OwnFiles & Pick<HostAccess, "isAlive">;

export type RunningServer = {
  readonly pid: number;
  /** When the process started, as the system counts; with it a reused process id is not mistaken. Empty where unknown. */
  readonly processStartedAt: string;
  readonly url: string;
  readonly port: number;
  /** Of scope `prompt`: every process of the user can read it, those of the agent too. */
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly version: string;
  readonly protocolVersion: string;
  /** The real path. */
  readonly directory: string;
};

export type FoundServer =
  | { readonly kind: "running"; readonly server: RunningServer }
  | { readonly kind: "none" }
  /** It lives, but speaks otherwise, or does not answer in time. Not to be used, and not ours to end. */
  | { readonly kind: "incompatible" | "silent"; readonly server: RunningServer };

export type PublishedServer =
  | { readonly ok: true /** To be called at the end; leaves the file of a successor alone. */; withdraw(): void }
  | { readonly ok: false; readonly existing: RunningServer };

export function runFilePath(home: string, directory: string): string {
  return join(home, "run", `${projectHashOf(directory)}.json`);
}

/** Not over another server that lives: of two that start at once, the second one is told of the first. */
export function publishServer(access: RunFileAccess, server: RunningServer): PublishedServer {
  const { home, whileLocked, replaceFile } = access;
  const path = runFilePath(home, server.directory);
  try {
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    return whileLocked(path, () => {
      const existing = readRunFile(path);
      if (existing !== undefined && existing.pid !== server.pid && isRunning(access, existing))
        return { ok: false, existing };
      replaceFile(path, `${JSON.stringify(server, undefined, 2)}\n`);
      return { ok: true, withdraw: () => removeRunFile(access, path, server) };
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error && "code" in error)) throw error;
    const message = `Cannot write ${path} (${reasonOf(error)}), which clients use to find the server.`;
    const recovery = "Make it writable, or set KEDGE_HOME to a directory that is.";
    throw new FailureError({ code: "storage", message, recovery, retryable: false }, error);
  }
}

/** The server of the directory, when it answers and can be spoken to. A file without a server behind it is removed. */
export async function findRunningServer(access: RunFileAccess, directory: string): Promise<FoundServer> {
  const path = runFilePath(access.home, directory);
  const forget = (server: RunningServer | undefined): FoundServer => {
    removeRunFile(access, path, server);
    return { kind: "none" };
  };
  const server = readRunFile(path);
  if (server === undefined || !isRunning(access, server)) return forget(server);
  if (!isSpokenProtocol(server.protocolVersion)) return { kind: "incompatible", server };
  const health = await askHealth(server);
  switch (health.kind) {
    case "refused":
      return forget(server);
    case "silent":
      return { kind: "silent", server };
    case "answered":
      if (health.projectHash !== projectHashOf(directory)) return forget(server);
      return isSpokenProtocol(health.protocol) ? { kind: "running", server } : { kind: "incompatible", server };
  }
}

function isRunning({ isAlive }: RunFileAccess, { pid, processStartedAt }: RunningServer): boolean {
  return isAlive({ boot: "", pid, startedAt: processStartedAt });
}

/** Only the one that was read: meanwhile another server may have put its own there. */
function removeRunFile({ whileLocked }: OwnFiles, path: string, read: RunningServer | undefined): void {
  if (readText(path) === undefined) return;
  whileLocked(path, () => {
    if (readRunFile(path)?.token === read?.token) rmSync(path, { force: true });
  });
}

/** Undefined when there is none, or none that can be read: then it is of no use to anybody. */
function readRunFile(path: string): RunningServer | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRunningServer(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isRunningServer(value: unknown): value is RunningServer {
  if (!isJsonObject(value)) return false;
  const texts = ["processStartedAt", "url", "token", "version", "protocolVersion", "directory"];
  const numbers = ["pid", "port", "startedAt"];
  return (
    texts.every((name) => typeof value[name] === "string") && numbers.every((name) => Number.isSafeInteger(value[name]))
  );
}
