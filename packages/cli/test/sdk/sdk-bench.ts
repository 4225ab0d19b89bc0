/** A home, a project and a scripted model, and the ways to a Client for them: in process, over a port and a server. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { hostAccess, placeOf, type StartedServer, startServer } from "@kedge/host/server";
import type { Client } from "@kedge/protocol";
import { connectOverPort, serveClient } from "@kedge/sdk";
import { type MockModel, type MockRequest, type MockScript, type MockTurn, startMockModel } from "@kedge/testing";
import { startKedge } from "../../src/opening/start-kedge.ts";
import { createClient, createLocal, type LocalOptions } from "../../src/sdk/index.ts";

export type SdkBench = {
  readonly directory: string;
  readonly home: string;
  readonly project: string;
  readonly environment: { readonly [name: string]: string };
  readonly model: MockModel;
  close(): Promise<void>;
};

export type OpenedClient = { readonly client: Client; close(): Promise<void> };

export type Transport = "in process" | "over HTTP" | "over a port";

export const transports: readonly Transport[] = ["in process", "over HTTP", "over a port"];

export async function openSdkBench(script: MockScript = answerByWords): Promise<SdkBench> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-sdk-")));
  const home = join(directory, "home");
  const project = join(directory, "project");
  for (const path of [home, project]) mkdirSync(path, { mode: 0o700 });
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const model = await startMockModel({ script });
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-test" } };
  const settings = { model: "mock/mock-model", provider, titles: { enabled: false } };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings));
  const environment = { PATH: process.env["PATH"] ?? "", HOME: directory, KEDGE_HOME: home, TERM: "dumb" };
  return {
    ...{ directory, home, project, environment, model },
    async close() {
      await model.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function openClient(bench: SdkBench, transport: Transport): Promise<OpenedClient> {
  switch (transport) {
    case "in process":
      return openLocal(bench);
    case "over HTTP":
      return openHttp(bench);
    case "over a port":
      return openPort(bench);
  }
}

export function openLocal({ project, environment }: SdkBench, options: Partial<LocalOptions> = {}) {
  return createLocal({ directory: project, environment, ...options });
}

async function openHttp(bench: SdkBench): Promise<OpenedClient> {
  const server = await openServer(bench);
  return { client: createClient(server), close: () => server.close() };
}

async function openPort(bench: SdkBench): Promise<OpenedClient> {
  const local = await openLocal(bench);
  const { port1, port2 } = new MessageChannel();
  const serving = serveClient(port1, local.client);
  return {
    client: connectOverPort(port2),
    async close() {
      serving.close();
      port1.close();
      await local.close();
    },
  };
}

/** The server that `kedge serve` starts, in this process. */
export async function openServer(
  { project, home, environment, directory }: SdkBench,
  { port = 0, hosts = [] }: { readonly port?: number; readonly hosts?: readonly string[] } = {},
): Promise<StartedServer> {
  return startServer({
    ...hostAccess({ home, environment, now: Date.now }),
    ...{ directory: project, port, hosts, origins: [], roots: [] },
    tokenScope: "admin",
    kedgeVersion: "0.0.0",
    onNotice: () => undefined,
    onBug(error) {
      throw error;
    },
    async openPlace(cwd) {
      const surroundings = { cwd, environment, userDirectory: directory };
      const options = { interactive: true, isEmbedded: true, onNotice: () => undefined } as const;
      const started = await startKedge({}, surroundings, options);
      return started.ok ? { ok: true, place: placeOf(started.started.kedge) } : { ok: false, failure: started.failure };
    },
  });
}

/** Does what the first word of the prompt says; after a result of a tool it repeats the beginning of it. */
export function answerByWords({ body }: MockRequest): MockTurn {
  const last = body.messages?.at(-1);
  const content = String(last?.content ?? "");
  if (last?.role === "tool") return { text: `The tool said: ${content.split("\n")[0]?.slice(0, 200)}` };
  const [word = "", first = "", ...rest] = content.split(" ");
  switch (word) {
    case "write":
      return { toolCalls: [{ name: "write", input: { filePath: first, content: `${rest.join(" ")}\n` } }] };
    case "call":
      return { toolCalls: [{ name: first, input: JSON.parse(rest.join(" ") || "{}") }] };
    case "ask": {
      const options = ["red", "blue"].map((label) => ({ label, description: `The colour ${label}.` }));
      return { toolCalls: [{ name: "question", input: { questions: [{ question: "Which colour?", options }] } }] };
    }
    case "hang":
      return { text: "It begins and never ends.", deltaCharacters: 5, stallAfterBytes: 700 };
    default:
      return { text: `You said: ${content}`, deltaCharacters: 4 };
  }
}
