/** A small application behind real admission on a real socket, and the ways to call it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { expect } from "vitest";
import type { Admissions, Caller } from "../../src/admission/admissions.ts";
import { admitRequests } from "../../src/admission/admit-requests.ts";
import type { AgentAttempt } from "../../src/admission/attempt-report.ts";
import { type AdmissionsParts, createAdmissions } from "../../src/admission/create-admissions.ts";
import { type ListeningServer, type ListenOptions, listen } from "../../src/listen.ts";

export const adminToken = "kedge_admin-of-this-test";
export const promptToken = "kedge_prompt-of-this-test";
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const asAdmin = bearer(adminToken);
export const admin: Caller = { scope: "admin", by: "token", name: "start" };

export const codePath = "/auth/code";

export type AdmissionSite = {
  readonly home: string;
  readonly admissions: Admissions;
  readonly server: ListeningServer;
  readonly clock: { now: number };
  readonly attempts: readonly AgentAttempt[];
  readonly notices: readonly string[];
  /** What came through, as `METHOD path`. */
  readonly reached: readonly string[];
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Ends with what the server sent until it closed. */
  sendRaw(text: string): Promise<string>;
  /** A stranger learns that it lives and a caller gets through. */
  expectHealthy(): Promise<void>;
  close(): Promise<void>;
};

type CallOptions = {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
};

type Answer = { readonly status: number; readonly body: unknown; readonly headers: IncomingHttpHeaders };

type SiteOptions = {
  readonly admissions?: Partial<AdmissionsParts>;
  readonly listen?: Partial<ListenOptions>;
};

/** The application answers with the caller, reads bodies to their end, and echoes on upgraded connections. */
export async function openAdmissionSite(options: SiteOptions = {}): Promise<AdmissionSite> {
  const root = mkdtempSync(join(tmpdir(), "kedge-admission-"));
  const home = join(root, "home");
  mkdirSync(home, { mode: 0o700 });
  const clock = { now: 1_700_000_000_000 };
  const attempts: AgentAttempt[] = [];
  const notices: string[] = [];
  const reached: string[] = [];
  const admissions = createAdmissions({
    boundTo: "127.0.0.1",
    hosts: [],
    origins: [],
    home,
    now: () => clock.now,
    environment: process.env,
    tokens: [
      { token: adminToken, scope: "admin", name: "start" },
      { token: promptToken, scope: "prompt", name: "run-file" },
    ],
    openRoutes: [{ method: "POST", path: codePath }],
    onAgentAttempt: (attempt) => attempts.push(attempt),
    onNotice: (message) => notices.push(message),
    ...options.admissions,
  });
  const listeners = admitRequests(admissions, {
    onRequest(request, response, caller) {
      reached.push(`${request.method} ${request.url}`);
      answer(admissions, request, response, caller).catch((error: unknown) => {
        if (!request.destroyed) throw error;
      });
    },
    onUpgrade(request, socket: Duplex, _head, caller) {
      reached.push(`upgrade ${request.url}`);
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${JSON.stringify({ caller })}`);
    },
    onProblem(error) {
      throw error;
    },
  });
  const server = await listen({ directory: root, port: 0, ...options.listen }, listeners);
  const site: AdmissionSite = {
    home,
    admissions,
    server,
    clock,
    attempts,
    notices,
    reached,
    call: (path, callOptions) => call(server, path, callOptions),
    sendRaw: (text) => sendRaw(server.port, text),
    async expectHealthy() {
      const stranger = await site.call("/global/health");
      const caller = await site.call("/config", { headers: asAdmin });
      expect([stranger.status, caller.body]).toEqual([200, { caller: admin, bytes: 0 }]);
    },
    async close() {
      await server.close(0);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return site;
}

async function answer(
  admissions: Admissions,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
): Promise<void> {
  // An application may ask again, and must hear the same.
  expect(await admissions.admit(request, { isUpgrade: false })).toEqual({ ok: true, caller });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  if (request.url === codePath) {
    const cookie = admissions.redeemCode(String(JSON.parse(body.toString())), request);
    if (cookie !== undefined) response.setHeader("set-cookie", cookie);
  }
  response.end(JSON.stringify({ caller, bytes: body.length }));
}

export function refusal(code: string) {
  return { error: { code, message: expect.stringMatching(/^[A-Z].+\.$/) } };
}

function call({ port }: ListeningServer, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = send({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", reject);
      response.on("end", () => {
        const parsed: unknown = text === "" ? undefined : JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, body: parsed, headers: response.headers });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      received += piece;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** The code in the body of a raw answer, and its status. */
export function readRaw(text: string): { readonly status: number; readonly code: unknown } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const parsed: unknown = JSON.parse(body);
  const error = typeof parsed === "object" && parsed !== null && "error" in parsed ? parsed.error : undefined;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return { status: Number(head.split(" ")[1]), code };
}
