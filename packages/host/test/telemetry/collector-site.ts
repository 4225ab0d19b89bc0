/** A collector on loopback that keeps what it is sent, and kedge wired as the program wires it, sending to it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FactOf, FactRecord, PermissionReply } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { assemble, findProject, type Kedge, loadConfiguration, openHome } from "../../src/index.ts";

export type Sent = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

export type CollectorDouble = {
  readonly url: string;
  readonly sent: readonly Sent[];
  close(): Promise<void>;
};

/** Answers as told; a collector that is only slow never answers by itself. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.end("{}"),
): Promise<CollectorDouble> {
  // Whoever sends has two seconds at its end: on a busy machine loading alone would take longer.
  await import("../../src/telemetry/otlp-sender.ts");
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Site = {
  readonly kedge: Kedge;
  readonly model: MockModel;
  readonly project: string;
  readonly notices: readonly string[];
  /** Of all sessions. */
  readonly records: readonly FactRecord[];
  /** A new session with one prompt, to the end of its run. */
  play(text: string, answer?: (question: FactOf<"permission.asked">) => PermissionReply): Promise<string>;
  /** Ends kedge; the rest is ended with the site. */
  leave(): Promise<void>;
  close(): Promise<void>;
};

type SiteOptions = {
  readonly script: MockScript;
  readonly settings: { readonly [name: string]: unknown };
  readonly environment?: { readonly [name: string]: string };
  readonly interactive?: boolean;
};

export async function openSite({ script, settings, environment = {}, interactive = true }: SiteOptions): Promise<Site> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-telemetry-")));
  const project = join(place, "work");
  const userDirectory = join(place, "home");
  const home = join(userDirectory, ".kedge");
  mkdirSync(project, { recursive: true });
  mkdirSync(home, { recursive: true });
  const model = await startMockModel({ script });
  const cost = { input: 3, output: 15, cacheRead: 0.3 };
  const models = { "mock-model": { context: 100_000, output: 8_000, cost } };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key", models } };
  const configured = { model: "mock/mock-model", provider, titles: { enabled: false }, ...settings };
  writeFileSync(join(home, "config.json"), JSON.stringify(configured));
  const found = findProject(project);
  const surroundings = { HOME: userDirectory, PATH: process.env["PATH"] ?? "", ...environment };
  const loaded = await loadConfiguration({
    ...{ home, userDirectory, cwd: project, projectRoot: found.root, environment: surroundings },
    ...{ files: [], isTrusted: true },
  });
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const opened = openHome(home);
  if (!opened.ok) throw new Error(opened.failure.message);
  const notices: string[] = [];
  const assembled = await assemble({
    ...{ configuration: loaded.configuration, home: opened.home, project: found, userDirectory, interactive },
    environment: surroundings,
    commandLineRules: { source: "command-line", rules: [] },
    unattended: true,
    kedgeVersion: "1.2.3",
    onNotice: (sentence) => notices.push(sentence),
  });
  if (!assembled.ok) throw new Error(assembled.failure.message);
  const { kedge } = assembled;
  const records: FactRecord[] = [];
  kedge.engine.subscribeAll((_, event) => {
    if (event.kind === "fact") records.push(event.record);
  });
  let left: Promise<void> | undefined;
  const leave = () => {
    left ??= kedge.close();
    return left;
  };
  return {
    ...{ kedge, model, project, notices, records, leave },
    play: (text, answer) => play(kedge, text, answer),
    async close() {
      await leave();
      await model.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

async function play(
  { engine }: Kedge,
  text: string,
  answer: (question: FactOf<"permission.asked">) => PermissionReply = () => "once",
): Promise<string> {
  const created = await engine.send({ type: "session.create" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const over = Promise.withResolvers<void>();
  const unsubscribe = engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact") return;
    const { fact } = event.record;
    if (fact.type === "run.ended") over.resolve();
    if (fact.type !== "permission.asked") return;
    const { requestId } = fact;
    engine.send({ type: "permission.answer", sessionId, requestId, reply: answer(fact) }).catch(over.reject);
  });
  await engine.send({ type: "prompt.submit", sessionId, text, delivery: "steer", options: {} });
  await over.promise;
  unsubscribe();
  return sessionId;
}
