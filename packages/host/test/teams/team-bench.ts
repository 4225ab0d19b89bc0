/** A leader in a process of its own, workers in real panes of tmux, and a model that plays all of them. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TeamFile, TeamMember } from "@kedge/agents/teams";
import type { Fact } from "@kedge/protocol";
import { borrowCodeCaches, type MockModel, type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { openAssembled } from "../assembled-kedge.ts";

export const entry = join(import.meta.dirname, "../../../../dist/kedge.js");

export type Seen = {
  readonly prompt: string;
  readonly claimed: readonly string[];
  readonly results: readonly string[];
  readonly said: string;
  /** Ids of the calls that the model made so far. */
  readonly calls: readonly string[];
};

type LeaderProcess = {
  readonly process: ChildProcess;
  readonly facts: readonly Fact[];
  readonly notices: readonly string[];
  readonly sessionId: Promise<string>;
  order(order: object): void;
  /** Resolves with the first fact, also of those that were, for which it is true. */
  fact<Type extends Fact["type"]>(
    type: Type,
    is?: (fact: Extract<Fact, { type: Type }>) => boolean,
  ): Promise<Extract<Fact, { type: Type }>>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

export type TeamBench = Awaited<ReturnType<typeof openTeamBench>>;

export async function openTeamBench(script: (seen: Seen) => MockTurn, settings: object = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kt-")));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(home);
  borrowCodeCaches(home);
  mkdirSync(project);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const model: MockModel = await startMockModel({ script: (request) => script(seenIn(request)) });
  const models = { "mock-model": { context: 200_000, output: 64_000, cost: { input: 1, output: 1 } } };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x", models } };
  const permission = { team: "allow", send_message: "allow", edit: "allow", bash: { "echo *": "allow" } };
  const base = {
    model: "mock/mock-model",
    provider,
    titles: { enabled: false },
    memory: { enabled: false },
    permission,
  };
  writeFileSync(join(home, "config.json"), JSON.stringify({ ...base, teams: { backend: "tmux" }, ...settings }));
  const leaders: LeaderProcess[] = [];
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, KEDGE_HOME: home, TMUX_TMPDIR: folder };

  return {
    folder,
    home,
    project,
    model,
    environment,
    lead(sessionId?: string): LeaderProcess {
      const setup = {
        ...{ project, userDirectory: folder, homeDirectory: home, environment, program: [process.execPath, entry] },
        ...(sessionId !== undefined && { sessionId }),
      };
      const leader = startLeader(setup);
      leaders.push(leader);
      return leader;
    },
    team: (name = "tea"): TeamFile =>
      JSON.parse(readFileSync(join(home, "teams", name, "team.json"), "utf8")) as TeamFile,
    tasks: (name = "tea"): readonly { id: string; status: string; owner?: string; notes: readonly string[] }[] =>
      JSON.parse(readFileSync(join(home, "teams", name, "tasks/tasks.json"), "utf8")).tasks,
    exists: (path: string): boolean => existsSync(join(project, path)),
    /** The facts of the only session that works for nobody, as they are stored. */
    async stored(): Promise<readonly Fact[]> {
      const kedge = await openAssembled({
        project,
        userDirectory: folder,
        homeDirectory: home,
        environment,
        interactive: false,
      });
      const { store } = kedge;
      const [session] = (await store.sessions({ limit: 100 })).filter(({ parentId }) => parentId === undefined);
      const facts: Fact[] = [];
      for await (const { fact } of store.read(session?.sessionId ?? "", 0)) facts.push(fact);
      await kedge.close();
      await store.close();
      return facts;
    },
    /** Workers with a process of their own that still run. */
    processes(): readonly string[] {
      return processesWith(home, "teammate").filter((line) => !line.includes("tmux"));
    },
    /** Whatever was started for this bench and still runs, terminals included. */
    leftovers: (): readonly string[] => processesWith(home),
    async close() {
      for (const leader of leaders)
        if (leader.process.exitCode === null && leader.process.signalCode === null) await leader.kill();
      await until(() => processesWith(home).length === 0);
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startLeader(setup: object): LeaderProcess {
  const program = join(import.meta.dirname, "leader-program.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(setup)], { stdio: ["pipe", "pipe", "inherit"] });
  const facts: Fact[] = [];
  const notices: string[] = [];
  const opened = Promise.withResolvers<string>();
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const told = JSON.parse(line) as { fact?: Fact; notice?: string; sessionId?: string };
    if (told.fact !== undefined) facts.push(told.fact);
    if (told.notice !== undefined) notices.push(told.notice);
    if (told.sessionId !== undefined) opened.resolve(told.sessionId);
    for (const listener of [...listeners]) listener();
  });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    ...{ process: child, facts, notices, sessionId: opened.promise },
    order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    fact(type, is = () => true) {
      const { promise, resolve } = Promise.withResolvers<Extract<Fact, { type: typeof type }>>();
      const look = () => {
        const found = facts.find((fact) => fact.type === type && is(fact as Extract<Fact, { type: typeof type }>));
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found as Extract<Fact, { type: typeof type }>);
      };
      listeners.add(look);
      look();
      return promise;
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    async close() {
      child.stdin.write(`${JSON.stringify({ do: "close" })}\n`);
      await gone;
    },
  };
}

function processesWith(...words: readonly string[]): readonly string[] {
  const listed = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return listed.filter((line) => words.every((word) => line.includes(word)) && !line.includes("ps -eo"));
}

const lookMs = 25;

/** Looks again until it is true; the time limit of the test is the only one. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, lookMs));
}

export function memberOf({ members }: TeamFile, name: string): TeamMember {
  const found = members.find((member) => member.name === name);
  if (found === undefined) throw new Error(`no member ${name}`);
  return found;
}

function seenIn({ body }: MockRequest): Seen {
  const messages = body.messages ?? [];
  const said = messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => textOf(content))
    .join("\n");
  return {
    said,
    prompt: /(?:^|\n)((?:child|parent)[^\n]*)/.exec(said)?.[1] ?? "",
    claimed: [...said.matchAll(/You have claimed task (t\d+)/g)].map(([, id]) => id ?? ""),
    calls: messages.flatMap((message) => callsOf(message)),
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
  };
}

function callsOf(message: object): readonly string[] {
  const { tool_calls: calls = [] } = message as { readonly tool_calls?: readonly { readonly id: string }[] };
  return calls.map(({ id }) => id);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { readonly text?: string }) => part.text ?? "").join("") : "";
}
