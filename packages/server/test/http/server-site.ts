/** A server on loopback as the program starts it: real admissions, engine, store and files, and a model with a script. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddedHandlers } from "@kedge/engine";
import { hostAccess, placeOf } from "@kedge/host/server";
import type { Client, CommandType, Scope } from "@kedge/protocol";
import { connectInProcess } from "@kedge/sdk";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { addToken } from "../../src/admission/token-file.ts";
import type { OpenedPlace } from "../../src/places/instances.ts";
import { type ServerParts, type StartedServer, startServer } from "../../src/serve.ts";
import { openAssembled } from "../assembled-kedge.ts";

export type Call = {
  readonly body?: unknown;
  /** In the place of the JSON of the body. */
  readonly text?: string;
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined for anything but JSON. */
  readonly json: unknown;
};

/** What stands at a place of an answer. */
export function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.entries(value).find(([key]) => key === String(name))?.[1];
  }, json);
}

export type ServerSite = {
  readonly place: string;
  readonly project: string;
  readonly home: string;
  readonly server: StartedServer;
  readonly model: MockModel;
  readonly bugs: readonly unknown[];
  /** The types of all commands that reached a place of work. */
  readonly sent: readonly CommandType[];
  /** The clients in process, one for each place of work that was opened. */
  readonly clients: readonly Client[];
  /** How many places of work were opened, by directory. */
  readonly opened: readonly string[];
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Asks until the answer has something at the place. */
  waitFor(path: string, ...place: readonly (string | number)[]): Promise<string>;
  tokenOf(scope: Scope): string;
  /** The clock of the server. */
  now(): number;
  advance(ms: number): void;
  newSession(fields?: object): Promise<string>;
  close(): Promise<void>;
};

export type SiteOptions = {
  readonly script?: MockScript;
  readonly settings?: object;
  readonly roots?: (place: string) => readonly string[];
  /** Handlers of commands beside those of the protocol. */
  readonly handlers?: AddedHandlers;
  /** Other parts of the server than usual. */
  readonly serve?: Partial<ServerParts> | ((home: string, now: () => number) => Partial<ServerParts>);
};

export async function openSite(options: SiteOptions = {}): Promise<ServerSite> {
  const { script = [], settings = {}, roots, serve, handlers } = options;
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-server-")));
  const userDirectory = join(place, "user");
  const home = join(userDirectory, ".kedge");
  const project = join(place, "project");
  for (const directory of [home, project]) mkdirSync(directory, { recursive: true });
  execFileSync("git", ["init", "--quiet", project]);
  const model = await startMockModel({ script });
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ provider, model: "mock/mock-model", titles: { enabled: false }, ...settings }),
  );
  const environment = { HOME: userDirectory, PATH: process.env["PATH"] ?? "" };
  const bugs: unknown[] = [];
  const opened: string[] = [];
  const sent: CommandType[] = [];
  const clients: Client[] = [];
  let tokens = 0;
  let clock = Date.now();
  const openPlace = async (directory: string): Promise<OpenedPlace> => {
    opened.push(directory);
    const given = { project: directory, userDirectory, homeDirectory: home, environment, interactive: true };
    const kedge = await openAssembled({ ...given, ...(handlers !== undefined && { commands: handlers }) });
    clients.push(connectInProcess(kedge.door, kedge.store));
    const send: typeof kedge.door.send = (command) => {
      sent.push(command.type);
      return kedge.door.send(command);
    };
    return { ok: true, place: placeOf({ ...kedge, door: { ...kedge.door, send } }) };
  };
  const access = hostAccess({ home, environment, now: () => clock });
  const now = () => clock;
  const server = await startServer({
    ...access,
    ...{ directory: project, port: 0, openPlace, hosts: [], origins: [] },
    roots: roots?.(place) ?? [],
    tokenScope: "admin",
    // The clock of a site jumps, so a sweep that comes by itself would close what a test still uses. Tests call it.
    sweepMs: 86_400_000,
    kedgeVersion: "0.0.0",
    onNotice: () => undefined,
    onBug: (error) => bugs.push(error),
    ...(typeof serve === "function" ? serve(home, now) : serve),
  });

  async function call(method: string, path: string, given: Call = {}): Promise<Answer> {
    const { body, token = server.token, headers = {}, signal } = given;
    const text = given.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
      ...(signal !== undefined && { signal }),
    });
    const answer = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && answer !== "";
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      json: isJson ? JSON.parse(answer) : undefined,
    };
  }

  return {
    ...{ place, project, home, server, model, bugs, clients, opened, sent, call, now },
    tokenOf: (scope) => {
      tokens += 1;
      const wanted = { scope, name: `token-${tokens}`, lifetimeMs: 86_400_000 };
      return addToken(access, wanted).token;
    },
    advance: (ms) => {
      clock += ms;
    },
    async waitFor(path, ...place) {
      for (let attempt = 0; attempt < 1000; attempt++) {
        const found = at((await call("GET", path)).json, ...place);
        if (found !== undefined) return String(found);
      }
      throw new Error(`${path} never had ${place.join(".")}`);
    },
    async newSession(fields = {}) {
      const { status, json } = await call("POST", "/session", { body: fields });
      if (status !== 200) throw new Error(JSON.stringify(json));
      return String(at(json, "sessionId"));
    },
    async close() {
      await server.close();
      await model.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
