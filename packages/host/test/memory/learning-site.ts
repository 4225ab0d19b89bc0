/** The whole of kedge with a scripted model and a memory, for tests of what happens beside sessions. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Fact, FactOf, RunOptions } from "@kedge/protocol";
import { type MockModel, type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { findProject, type Kedge } from "../../src/index.ts";
import { openAssembled } from "../assembled-kedge.ts";

export type LearningSite = {
  readonly project: string;
  readonly memory: string;
  readonly model: MockModel;
  /** Everything that was asked of the model beside the conversation. */
  asides(): readonly MockRequest[];
  mains(): readonly MockRequest[];
  open(options?: { readonly interactive?: boolean; readonly now?: () => number }): Promise<Kedge>;
  session(kedge: Kedge): Promise<string>;
  /** Waits for the end of the run. */
  prompt(kedge: Kedge, sessionId: string, text: string, options?: RunOptions): Promise<FactOf<"run.ended">>;
  /** What a local command answers. */
  command(kedge: Kedge, sessionId: string, text: string): Promise<string>;
  /** Waits for the next fact of a type that comes from now on. */
  next<Type extends Fact["type"]>(kedge: Kedge, sessionId: string, type: Type): Promise<FactOf<Type>>;
  facts(kedge: Kedge, sessionId: string): Promise<readonly Fact[]>;
  topic(slug: string, fact: string, more?: { readonly folder?: string; readonly description?: string }): string;
  names(folder?: string): readonly string[];
  read(path: string): string;
  /** What the user was told beside the conversation. */
  readonly notices: readonly string[];
  remove(): Promise<void>;
};

export type Answers = {
  readonly main?: (request: MockRequest, nth: number) => MockTurn;
  readonly aside?: (request: MockRequest, nth: number) => MockTurn;
  readonly settings?: object;
  readonly api?: string;
  readonly models?: object;
};

/** Workers and side questions say so in words that no conversation of these tests has. */
const asideWords = /You are now a worker on the memory|You choose notes for a coding agent|You compare two notes/;

export async function openLearningSite(answers: Answers = {}): Promise<LearningSite> {
  const { main, aside, settings = {}, api = "openai-chat", models } = answers;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-learning-")));
  const project = join(directory, "project");
  const home = join(directory, "home");
  mkdirSync(project);
  mkdirSync(home);
  execFileSync("git", ["init", "-q", project]);
  const isAside = ({ raw }: MockRequest) => asideWords.test(raw.toString());
  const counts = { main: 0, aside: 0 };
  const model = await startMockModel({
    script: (request) => {
      const kind = isAside(request) ? "aside" : "main";
      counts[kind] += 1;
      if (kind === "aside") return aside?.(request, counts.aside) ?? { text: "done" };
      return main?.(request, counts.main) ?? { text: `Answer ${counts.main}.` };
    },
  });
  const provider = { mock: { api, baseURL: model.baseUrl, apiKey: "key-of-the-test", ...(models && { models }) } };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ provider, model: "mock/model", titles: { enabled: false }, ...settings }),
  );
  const memory = join(home, "projects", findProject(project).projectId, "memory");

  const notices: string[] = [];
  const site: LearningSite = {
    notices,
    project,
    memory,
    model,
    asides: () => model.requests.filter(isAside),
    mains: () => model.requests.filter((request) => !isAside(request)),
    open: ({ interactive = true, now } = {}) =>
      openAssembled({
        ...{ project, userDirectory: directory, homeDirectory: home, environment: {}, interactive },
        ...(now !== undefined && { now }),
        onNotice: (sentence) => void notices.push(sentence),
      }),
    async session({ door }) {
      const created = await door.send<"session.create">({
        type: "session.create",
        mode: "default",
        model: "mock/model",
      });
      if (!created.ok) throw new Error(created.failure.message);
      return created.value.sessionId;
    },
    async prompt(kedge, sessionId, text, options = {}) {
      const ended = site.next(kedge, sessionId, "run.ended");
      await kedge.door.send<"prompt.submit">({
        type: "prompt.submit",
        sessionId,
        text,
        delivery: "follow-up",
        options,
      });
      return ended;
    },
    async command(kedge, sessionId, text) {
      const ran = site.next(kedge, sessionId, "command.ran");
      await kedge.door.send<"prompt.submit">({
        type: "prompt.submit",
        ...{ sessionId, text, delivery: "follow-up", options: {} },
      });
      return (await ran).text;
    },
    next: ({ door }, sessionId, type) =>
      new Promise((resolve) => {
        const stop = door.subscribe(sessionId, (event) => {
          if (event.kind !== "fact" || event.record.fact.type !== type) return;
          stop();
          resolve(event.record.fact as FactOf<typeof type>);
        });
      }),
    async facts({ store }, sessionId) {
      const facts: Fact[] = [];
      for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
      return facts;
    },
    topic(slug, fact, { folder = "", description = fact } = {}) {
      const path = join(memory, folder, `${slug}.md`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, topicFile(slug, fact, description));
      if (folder === "")
        writeFileSync(join(memory, "MEMORY.md"), `# Memory\n\n- [${slug}](${slug}.md): ${description}\n`);
      return path;
    },
    names: (folder = "") => {
      const path = join(memory, folder);
      return existsSync(path)
        ? readdirSync(path)
            .filter((name) => name.endsWith(".md"))
            .sort()
        : [];
    },
    read: (path) => readFileSync(join(memory, path), "utf8"),
    async remove() {
      await model.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return site;
}

export function topicFile(name: string, body: string, description = body): string {
  return `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n\n${body}\n`;
}
