/** Puts admission before an application: whoever is refused gets an answer and reaches nothing behind it. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Admission, Admissions, Caller, Refusal } from "./admissions.ts";
import { announcesBody } from "./request-shape.ts";

export type AdmittedApp = {
  onRequest(request: IncomingMessage, response: ServerResponse, caller: Caller): void;
  /** Without it no connection is upgraded. */
  onUpgrade?(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void;
  /** Told of what went wrong in admission itself; the request is answered then. */
  onProblem(error: unknown): void;
};

export type ServerListeners = {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
};

type Answer = { readonly status: number; readonly code: string; readonly message: string; readonly headers?: Headers };
type Headers = { readonly [name: string]: string };

const broken: Answer = {
  status: 500,
  code: "internal",
  message: "The server could not process the request. See its log.",
};
const noUpgrade: Answer = { status: 400, code: "no_upgrade", message: "This route does not support WebSockets." };

export function admitRequests(admissions: Admissions, app: AdmittedApp): ServerListeners {
  const decided = new WeakMap<Duplex, Promise<void>>();
  const doubted = new WeakSet<Duplex>();
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(admissions.answerHeaders(request))) response.setHeader(name, value);
    if (request.method === "OPTIONS") {
      const preflight = admissions.preflight(request);
      if (preflight.ok) response.writeHead(204, preflight.headers).end();
      else refuse(response, preflight);
      return;
    }
    const { socket } = request;
    const deciding = admissions.admit(request, { isUpgrade: false });
    const before = decided.get(socket) ?? Promise.resolve();
    const ignore = () => undefined;
    decided.set(socket, before.then(() => deciding).then(ignore, ignore));
    // Those in front on the same connection are judged first: what is behind a doubtful one is no request, although it
    // was read already. An encrypted connection takes a while to close, so that a closed one is not sign enough.
    await before;
    const admission = await deciding;
    if (socket.destroyed || doubted.has(socket)) return;
    if (!admission.ok && doubtful.has(admission.status)) doubted.add(socket);
    if (endsConnection(request, admission)) response.setHeader("connection", "close");
    if (admission.ok) app.onRequest(request, response, admission.caller);
    else refuse(response, admission);
  };

  const onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const admission = await admissions.admit(request, { isUpgrade: true });
    if (socket.destroyed) return;
    if (admission.ok && app.onUpgrade !== undefined) app.onUpgrade(request, socket, head, admission.caller);
    else refuseUpgrade(socket, admission.ok ? noUpgrade : admission, admissions.answerHeaders(request));
  };

  return {
    onRequest(request, response) {
      onRequest(request, response).catch((error: unknown) => {
        app.onProblem(error);
        if (response.headersSent) response.destroy();
        else refuse(response, broken);
      });
    },
    onUpgrade(request, socket, head) {
      // A peer that breaks off is nothing to tell anybody; without a listener it would end the process.
      socket.on("error", () => socket.destroy());
      onUpgrade(request, socket, head).catch((error: unknown) => {
        app.onProblem(error);
        refuseUpgrade(socket, broken, {});
      });
    },
  };
}

/** Strangers shall keep no connection by what is open to all, nor have a body read that leads to nothing. */
function endsConnection(request: IncomingMessage, admission: Admission): boolean {
  if (admission.ok) return admission.caller.by === "nobody";
  const { authorization, cookie } = request.headers;
  return authorization === undefined && cookie === undefined && announcesBody(request);
}

/** The form of every answer that is an error. What is left of the body is thrown away while it comes in. */
export function refuse(response: ServerResponse, answer: Answer | Refusal): void {
  const body = errorBody(answer);
  // What comes behind a head that can be read in two ways is not taken for a request.
  const close = doubtful.has(answer.status) ? { connection: "close" } : {};
  response.writeHead(answer.status, { ...answer.headers, ...bodyHeaders(body), ...close }).end(body);
}

const doubtful: ReadonlySet<number> = new Set([400, 411]);

/** The same on a bare connection, which is closed then. */
export function refuseUpgrade(socket: Duplex, answer: Answer | Refusal, headers: Headers): void {
  const body = errorBody(answer);
  const all = { ...headers, ...answer.headers, ...bodyHeaders(body), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // Only one side would be closed otherwise, for as long as the other one likes.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}

function errorBody({ code, message }: { readonly code: string; readonly message: string }): string {
  return JSON.stringify({ error: { code, message } });
}

function bodyHeaders(body: string): Headers {
  return { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
}
