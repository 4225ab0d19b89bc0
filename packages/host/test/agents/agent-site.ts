/** The whole of kedge in this process, with a mock model on loopback that plays a session and its agents. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact, FactRecord, PermissionMode, RunOptions } from "@kedge/protocol";
import { type MockModel, type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { type Kedge, openHome } from "../../src/index.ts";
import { answerTrust } from "../../src/trust/workspace-trust.ts";
import { type AssembledOptions, openAssembled } from "../assembled-kedge.ts";

export type AgentSite = {
  readonly kedge: Kedge;
  readonly project: string;
  readonly home: string;
  readonly model: MockModel;
  open(mode?: PermissionMode): Promise<string>;
  /** Resolves with the end of the run. */
  prompt(sessionId: string, text: string, options?: RunOptions): Promise<Extract<Fact, { type: "run.ended" }>>;
  facts(sessionId: string): Promise<readonly FactRecord[]>;
  /** Another process of kedge in the same place, with other settings; closed by the caller. */
  openBeside(settings: object): Promise<Kedge>;
  /** Those of a type, of the session and of all that work for it. */
  allFacts<Type extends Fact["type"]>(sessionId: string, type: Type): Promise<readonly Extract<Fact, { type: Type }>[]>;
  close(): Promise<void>;
};

export type SiteScript = (conversation: Conversation) => MockTurn;

export type Conversation = {
  /** The first line that begins with `child` or `parent`. */
  readonly prompt: string;
  readonly results: readonly string[];
  readonly request: MockRequest;
};

export async function openAgentSite(
  script: SiteScript,
  settings: object = {},
  options: {
    readonly interactive?: boolean;
    /** The user trusts the project as it is. */
    readonly isTrusted?: true;
    readonly files?: { readonly [path: string]: string };
    /** Of the user, below the home of kedge. */
    readonly homeFiles?: { readonly [path: string]: string };
    readonly onNotice?: (sentence: string) => void;
  } & Pick<AssembledOptions, "teamTiming" | "program"> = {},
): Promise<AgentSite> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-agents-")));
  const project = join(directory, "project");
  const home = join(directory, "home");
  mkdirSync(project);
  mkdirSync(home);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const write = (root: string, files: { readonly [path: string]: string } = {}) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write(project, options.files);
  write(home, options.homeFiles);
  if (options.isTrusted) trust(home, { root: project, userDirectory: directory });
  const model = await startMockModel({ script: (request) => script(conversationOf(request)) });
  const row = { context: 200_000, output: 64_000, cost: { input: 1, output: 1 } };
  const models = { "mock-model": row, "other-model": row };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x", models } };
  const common = { model: "mock/mock-model", provider, titles: { enabled: false }, memory: { enabled: false } };
  const openBeside = (others: object) => {
    writeFileSync(join(home, "config.json"), JSON.stringify({ ...common, ...others }));
    return openAssembled({
      ...{ project, userDirectory: directory, homeDirectory: home, interactive: options.interactive ?? false },
      environment: { PATH: process.env["PATH"] ?? "", HOME: directory, KEDGE_HOME: home },
      ...(options.teamTiming !== undefined && { teamTiming: options.teamTiming }),
      ...(options.program !== undefined && { program: options.program }),
      ...(options.onNotice !== undefined && { onNotice: options.onNotice }),
    });
  };
  const kedge = await openBeside(settings);
  const { store, engine } = kedge;

  async function facts(sessionId: string): Promise<readonly FactRecord[]> {
    const records: FactRecord[] = [];
    for await (const record of store.read(sessionId, 0)) records.push(record);
    return records;
  }

  return {
    kedge,
    project,
    home,
    model,
    facts,
    openBeside,
    async open(mode = "default") {
      const made = await engine.send<"session.create">({ type: "session.create", mode });
      if (!made.ok) throw new Error(made.failure.message);
      return made.value.sessionId;
    },
    prompt: (sessionId, text, runOptions) => promptIn(kedge, { sessionId, text, options: runOptions ?? {} }),
    async allFacts<Type extends Fact["type"]>(sessionId: string, type: Type) {
      const below = await store.sessions({ parentId: sessionId, limit: 1_000 });
      const ids = [sessionId, ...below.map((child) => child.sessionId)];
      const all = (await Promise.all(ids.map(facts))).flat();
      return all.flatMap(({ fact }) => (fact.type === type ? [fact as Extract<Fact, { type: Type }>] : []));
    },
    async close() {
      await kedge.close();
      await store.close();
      await model.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function trust(home: string, place: { readonly root: string; readonly userDirectory: string }): void {
  const opened = openHome(home);
  const problem = opened.ok ? answerTrust({ home: opened.home, ...place, now: () => 0 }, "trusted") : "no home";
  if (problem !== undefined) throw new Error(problem);
}

/** Resolves with the end of the run. */
export async function promptIn(
  { engine }: Kedge,
  prompt: { readonly sessionId: string; readonly text: string; readonly options: RunOptions },
): Promise<Extract<Fact, { type: "run.ended" }>> {
  const ended = Promise.withResolvers<Extract<Fact, { type: "run.ended" }>>();
  const stop = engine.subscribe(prompt.sessionId, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve(event.record.fact);
  });
  const sent = await engine.send<"prompt.submit">({ ...{ type: "prompt.submit", delivery: "steer" }, ...prompt });
  if (!sent.ok) throw new Error(sent.failure.message);
  return ended.promise.finally(stop);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { readonly text?: string }) => part.text ?? "").join("") : "";
}

function conversationOf(request: MockRequest): Conversation {
  const messages = request.body.messages ?? [];
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const prompt = /(?:^|\n)((?:child|parent)[^\n]*)/.exec(said.join("\n"))?.[1] ?? "";
  return {
    prompt,
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
    request,
  };
}
