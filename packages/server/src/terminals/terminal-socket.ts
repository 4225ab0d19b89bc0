/** Lets a connection to a terminal become a WebSocket, or says in an answer why not. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { headerNames, includesScope } from "@kedge/protocol";
import { WebSocketServer } from "ws";
import type { Admissions, Caller } from "../admission/admissions.ts";
import { type AdmittedApp, refuseUpgrade } from "../admission/admit-requests.ts";
import { pathOf } from "../admission/request-shape.ts";
import { type Problem, problemOfFailure } from "../http/failure-status.ts";
import { type Beats, connectTerminal } from "./terminal-connection.ts";
import type { Terminals } from "./terminals.ts";

/** What is needed of the places of work of a server. */
type Places = {
  find(directory: string | undefined): Promise<FoundPlace>;
};

type FoundPlace =
  | {
      readonly ok: true;
      readonly instance: {
        terminals(): Promise<Terminals>;
        /** The place of work is in use until the function given back is called. */
        enter(): () => void;
      };
    }
  | { readonly ok: false; readonly problem: Problem };

export type TerminalSocketParts = {
  readonly instances: Places;
  /** When clients are pinged; every half minute unless given. */
  readonly onBeat?: Beats;
};

export type TerminalUpgradeParts = TerminalSocketParts & {
  /** Who was admitted. */
  readonly caller: Caller;
  /** Of every answer that is no WebSocket. */
  readonly answerHeaders: { readonly [name: string]: string };
};

const payloadBytesMax = 1024 * 1024;
const pingMs = 30_000;
const connectPath = /^\/pty\/([^/]+)\/connect$/;

/** For connections behind the admissions, which has asked already who is calling. */
export function joinTerminals(
  parts: TerminalSocketParts & {
    readonly admissions: Pick<Admissions, "answerHeaders">;
    readonly onBug: (error: unknown) => void;
  },
): NonNullable<AdmittedApp["onUpgrade"]> {
  const { admissions, onBug } = parts;
  return (request, socket, head, caller) => {
    const answerHeaders = admissions.answerHeaders(request);
    handleTerminalUpgrade(request, socket, head, { ...parts, caller, answerHeaders }).catch((error: unknown) => {
      onBug(error);
      const message = "Internal server error. See the server log.";
      refuseUpgrade(socket, { status: 500, code: "bug", message }, answerHeaders);
    });
  };
}

/** Only for requests that were admitted. */
async function handleTerminalUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  parts: TerminalUpgradeParts,
): Promise<void> {
  const refuse = (problem: Problem) => refuseUpgrade(socket, problem, parts.answerHeaders);
  const wanted = readRequest(request);
  if (!wanted.ok) return refuse(wanted.problem);
  const refusal = refusalOf(parts.caller);
  if (refusal !== undefined) return refuse(refusal);
  const found = await parts.instances.find(wanted.directory);
  if (!found.ok) return refuse(found.problem);
  const terminals = await found.instance.terminals();
  if (socket.destroyed) return;
  const { ptyId, place } = wanted;
  const failure = terminals.failureToAttach(ptyId, place);
  if (failure !== undefined) return refuse(problemOfFailure(failure));
  const options = { noServer: true, perMessageDeflate: false, maxPayload: payloadBytesMax, clientTracking: false };
  new WebSocketServer(options).handleUpgrade(request, socket, head, (client) => {
    client.once("close", found.instance.enter());
    connectTerminal(client, { terminals, ptyId, ...place, onBeat: parts.onBeat ?? everyPing });
  });
}

const everyPing: Beats = (beat) => {
  const timer = setInterval(beat, pingMs);
  return () => clearInterval(timer);
};

type Wanted =
  | {
      readonly ok: true;
      readonly ptyId: string;
      readonly place: { readonly cursor?: number };
      readonly directory: string | undefined;
    }
  | { readonly ok: false; readonly problem: Problem };

function readRequest(request: IncomingMessage): Wanted {
  const path = pathOf(request);
  const ptyId = connectPath.exec(path)?.[1];
  if (ptyId === undefined) {
    const message = "Only /pty/<ptyId>/connect supports WebSockets.";
    return { ok: false, problem: { status: 404, code: "not_found", message } };
  }
  const given = new URLSearchParams((request.url ?? "").slice(path.length));
  const cursor = given.get("cursor");
  if (cursor !== null && !/^\d{1,15}$/.test(cursor)) {
    return badRequest(`The cursor ${cursor} is not a number of bytes.`);
  }
  const header = request.headers[headerNames.directory.toLowerCase()];
  const directory = typeof header === "string" ? decoded(header) : (given.get("directory") ?? undefined);
  if (directory === null) return badRequest(`The header ${headerNames.directory} is not URI-encoded.`);
  return { ok: true, ptyId, directory, place: cursor === null ? {} : { cursor: Number(cursor) } };
}

function badRequest(message: string): Wanted {
  return { ok: false, problem: { status: 400, code: "bad_request", message } };
}

/** Null for what is not encoded. */
function decoded(header: string): string | null {
  try {
    return decodeURIComponent(header);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function refusalOf({ by, scope }: Caller): Problem | undefined {
  if (by === "nobody") return { status: 401, code: "unauthorized", message: "Authentication required." };
  if (includesScope(scope, "admin")) return undefined;
  const message = `A terminal requires the scope admin; this credential has ${scope}.`;
  return { status: 403, code: "scope", message };
}
