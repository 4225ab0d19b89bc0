/** Starts one language server and shakes hands with it: a process that ends with kedge, and a connection to it. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { type Readable, Transform, type Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { attemptStart, endGroup, isJsonObject, type JsonObject, tiedStart } from "@kedge/protocol";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type {
  ConfigurationParams,
  InitializeResult,
  RegistrationParams,
  ServerCapabilities,
  UnregistrationParams,
} from "vscode-languageserver-protocol";
import type { FoundProgram } from "../find-program.ts";
import type { ServerDefinition } from "../server-definition.ts";
import { encodingOf, type PositionEncoding } from "./position-encoding.ts";
import { clientCapabilities, settingsOf } from "./server-messages.ts";

export type ServerStart = {
  readonly definition: ServerDefinition;
  readonly program: FoundProgram;
  /** Absolute. */
  readonly root: string;
  /** Without secrets; ties the server to this kedge. */
  readonly environment: { readonly [name: string]: string };
};

export type Registration = { readonly id: string; readonly method: string; readonly options: unknown };

/** A server that answered the first request. */
export type StartedServer = {
  readonly capabilities: ServerCapabilities;
  /** How it counts characters. */
  readonly encoding: PositionEncoding;
  /** As the server tells it. */
  readonly version: string | undefined;
  readonly pid: number | undefined;
  /** Throws what the server answers with, and when it is gone or the signal aborts. */
  request<Result>(method: string, params: object, signal: AbortSignal): Promise<Result>;
  notify(method: string, params: object): void;
  onNotification(method: string, hear: (params: unknown) => void): void;
  /** What the server asked for after its start. */
  registrations(): readonly Registration[];
  onRegistration(hear: () => void): void;
  /** A sentence part: how it ended. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const startMsMaxDefault = 20_000;
const stopMsMaxDefault = 300;
/** No answer to a question of kedge is nearly as long; what is, would take the memory of kedge. */
const messageBytesMax = 64 * 1_024 * 1_024;
const errorCharactersMax = 2_000;
const refreshed = ["diagnostic", "semanticTokens", "inlayHint", "inlineValue", "codeLens", "foldingRange"] as const;

export async function startServer(
  start: ServerStart,
  signal: AbortSignal,
): Promise<StartedServer | { readonly problem: string }> {
  const { definition, program, root } = start;
  const environment = { ...start.environment, ...definition.environment };
  const { file, args } = tiedStart({ file: program.file, args: program.args }, environment);
  const child = attemptStart(
    (): Child =>
      // A group of its own, so that what the server starts ends with it.
      spawn(file, [...args], { cwd: root, env: environment, stdio: ["pipe", "pipe", "pipe"], detached: true }),
  );
  if ("problem" in child) return child;
  const connection = connect(child);
  const registrations = new Map<string, Registration>();
  const hearers: (() => void)[] = [];
  answerServer(connection, start, registrations, () => {
    for (const hear of hearers) hear();
  });
  const ended = endOf(child, connection);
  connection.listen();
  const request = <Result>(method: string, params: object, until: AbortSignal) =>
    Promise.race([
      cancellable<Result>(connection, method, params, until),
      ended.then((how) => Promise.reject(new Error(how))),
    ]);
  const close = async () => {
    const limit = AbortSignal.timeout(definition.stopMsMax ?? stopMsMaxDefault);
    // A server that does not want to end in time, or ended already, is ended.
    await request("shutdown", {}, limit).catch(() => undefined);
    if (child.exitCode === null) await connection.sendNotification("exit").catch(() => undefined);
    connection.dispose();
    endGroup(child.pid);
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(definition.startMsMax ?? startMsMaxDefault)]);
  try {
    const answer = await request<InitializeResult>("initialize", initializeParams(start), limit);
    await connection.sendNotification("initialized", {});
    const { settings } = definition;
    if (settings !== undefined) await connection.sendNotification("workspace/didChangeConfiguration", { settings });
    const { capabilities = {}, serverInfo } = answer ?? {};
    return {
      capabilities,
      encoding: encodingOf(capabilities.positionEncoding),
      version: serverInfo?.version,
      pid: child.pid,
      request,
      notify(method, params) {
        if (child.exitCode === null && !child.stdin.destroyed) connection.sendNotification(method, params).catch(gone);
      },
      onNotification: (method, hear) => void connection.onNotification(method, hear),
      registrations: () => [...registrations.values()],
      onRegistration: (hear) => void hearers.push(hear),
      ended,
      close,
    };
  } catch (error) {
    connection.dispose();
    endGroup(child.pid);
    const how = limit.aborted ? "it did not respond in time" : error instanceof Error ? error.message : String(error);
    return { problem: how };
  }
}

function connect(child: Child): MessageConnection {
  let bytes = 0;
  child.stdout.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > messageBytesMax) endGroup(child.pid);
  });
  // Broken pipes show as the end of the process.
  child.stdin.on("error", gone);
  const silent = { error: gone, warn: gone, info: gone, log: gone };
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout.pipe(withoutGreeting())),
    new StreamMessageWriter(child.stdin),
    silent,
    {
      messageStrategy: {
        handleMessage(message, next) {
          bytes = 0;
          next(message);
        },
      },
    },
  );
  connection.onError(gone);
  return connection;
}

const greetingBytesMax = 64 * 1_024;

/** Some servers print a line before they speak the protocol, which would cost their first answer. */
function withoutGreeting(): Transform {
  let kept: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (kept === undefined) return done(null, piece);
      kept = Buffer.concat([kept, piece]);
      const start = kept.toString("latin1").search(/Content-(?:Length|Type):/i);
      if (start === -1 && kept.length < greetingBytesMax) return done();
      const rest = kept.subarray(Math.max(start, 0));
      kept = undefined;
      done(null, rest);
    },
  });
}

/** What a broken connection says, the end of the process says too. */
function gone(): void {}

function endOf(child: Child, connection: MessageConnection): Promise<string> {
  let said = "";
  child.stderr.on("data", (piece: Buffer) => {
    said = (said + piece.toString()).slice(-errorCharactersMax);
  });
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve(`it could not be started (${message})`));
    child.on("close", (code, killedBy) => {
      connection.dispose();
      const last = said.trim().split("\n").at(-1) ?? "";
      resolve(`it ended with ${killedBy ?? `exit code ${code}`}${last === "" ? "" : ` (${last})`}`);
    });
  });
}

async function cancellable<Result>(
  connection: MessageConnection,
  method: string,
  params: object,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const source = new CancellationTokenSource();
  let onAbort: () => void = gone;
  // A server may ignore that nobody waits any more.
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      source.cancel();
      reject(signal.reason instanceof Error ? signal.reason : new Error("The request was interrupted."));
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([connection.sendRequest<Result>(method, params, source.token), aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    source.dispose();
  }
}

function initializeParams({ root, definition }: ServerStart): object {
  const uri = pathToFileURL(root).href;
  return {
    // Some servers end when this process does; the tie holds for the others.
    processId: process.pid,
    clientInfo: { name: "kedge" },
    rootUri: uri,
    rootPath: root,
    workspaceFolders: [{ uri, name: root.slice(root.lastIndexOf("/") + 1) }],
    capabilities: clientCapabilities,
    ...(definition.initialization !== undefined && { initializationOptions: definition.initialization }),
  };
}

function answerServer(
  connection: MessageConnection,
  { definition, root }: ServerStart,
  registrations: Map<string, Registration>,
  onRegistration: () => void,
): void {
  const settings: JsonObject = definition.settings ?? {};
  const folder = { uri: pathToFileURL(root).href, name: definition.name };
  connection.onRequest("workspace/configuration", (params: Partial<ConfigurationParams> | null) =>
    listOf(params?.items).map(({ section }) => settingsOf(settings, section)),
  );
  connection.onRequest("workspace/workspaceFolders", () => [folder]);
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("window/showMessageRequest", () => null);
  // Asked also where it was not offered, and one server ends when it hears that this is not known. Kedge asks again anyway.
  for (const what of refreshed) connection.onRequest(`workspace/${what}/refresh`, () => null);
  connection.onRequest("window/showDocument", () => ({ success: false }));
  // Files are changed by calls alone, which a person can see and refuse.
  connection.onRequest("workspace/applyEdit", () => ({ applied: false, failureReason: "kedge applies no edits" }));
  connection.onRequest("client/registerCapability", (params: Partial<RegistrationParams> | null) => {
    for (const { id, method, registerOptions } of listOf(params?.registrations))
      registrations.set(id, { id, method, options: registerOptions });
    onRegistration();
    return null;
  });
  connection.onRequest("client/unregisterCapability", (params: Partial<UnregistrationParams> | null) => {
    // The protocol spells it so.
    for (const { id } of listOf(params?.unregisterations)) registrations.delete(id);
    return null;
  });
}

/** A server may leave out what it must send. */
function listOf<Item extends object>(items: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(items) ? items.filter((item) => typeof item === "object" && item !== null) : [];
}

/** Whether a capability is offered: true, or an object with options. */
export function isOffered(capability: unknown): boolean {
  return capability === true || isJsonObject(capability);
}
