/** A real workspace on the disk and the real parts of the program around it, with a model that plays a script. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createEngine, type Engine, type EngineParts } from "@kedge/engine";
import { type Fact, type FactOf, fixedToolSource, type Json, type Snapshots, type Store } from "@kedge/protocol";
import { createLookAtPath, isProtectedPath } from "@kedge/sandbox";
import { createGitSnapshots, createMachineLook, createMemoryStore } from "@kedge/store";
import {
  createCountingIds,
  createRedactorDouble,
  createScriptedProvider,
  type ScriptedAnswer,
  textAnswer,
  toolAnswer,
} from "@kedge/testing";
import {
  bashSettingsDefault,
  createArtifacts,
  createFileState,
  createGrammars,
  createJobs,
  createOutputSink,
  createTaskList,
  createTools,
  findRipgrep,
} from "@kedge/tools";
import { createShellReading } from "../../src/shell/shell-reading.ts";

export type Call = { readonly tool: string; readonly input: { readonly [name: string]: Json } };

/** Calls of one step. */
export type Step = readonly Call[];

export type SiteKind = "git" | "plain";

/** One command after the other, as the user would type them. */
export function runAsUser(root: string, script: string): string {
  return execFileSync("bash", ["-e", "-c", script], {
    cwd: root,
    env: userEnvironment,
    encoding: "utf8",
    stdio: "pipe",
  });
}

const userEnvironment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.invalid",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.invalid",
};

const baseScript = `
mkdir -p src docs build
printf 'alpha\\nbeta\\ngamma\\n' > src/a.txt
printf 'one\\r\\ntwo\\r\\n' > src/crlf.txt
printf '#!/bin/sh\\necho hi\\n' > src/run.sh && chmod +x src/run.sh
printf '\\0\\1\\2binary\\0' > src/data.bin
printf 'guide\\n' > docs/guide.md
: > docs/empty.txt
ln -s src/a.txt link-to-file
ln -s src link-to-folder
ln -s nowhere/at/all dangling
printf 'build/\\n*.log\\n.env\\n' > .gitignore
printf 'SECRET=1\\n' > .env
printf 'built\\n' > build/out.js
printf 'logged\\n' > app.log
printf '{"cells":[{"id":"c1","cell_type":"code","source":["1+1"],"metadata":{},"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}' > book.ipynb`;

const commitScript = `
git init -q -b main
git add . && git commit -qm first
printf 'not yet committed\\n' >> docs/guide.md
printf 'never added\\n' > notes.txt`;

/** Workspaces are copies of these two, which are made once. */
export class UndoSites {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-undo-")));
  readonly #made = new Set<SiteKind>();
  #count = 0;

  /** A folder with the workspace in it, and room for whatever else belongs to it. */
  newPlace(kind: SiteKind): string {
    const base = join(this.#folder, kind);
    if (!this.#made.has(kind)) {
      mkdirSync(base);
      runAsUser(base, kind === "git" ? baseScript + commitScript : baseScript);
      this.#made.add(kind);
    }
    this.#count += 1;
    const place = join(this.#folder, `place-${this.#count}`);
    cpSync(base, join(place, "w"), { recursive: true, verbatimSymlinks: true });
    return place;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export type UndoSite = {
  readonly root: string;
  readonly engine: Engine;
  readonly store: Store;
  readonly snapshots: Snapshots;
  open(): Promise<string>;
  resume(sessionId: string): Promise<void>;
  /** Runs the steps as the answer to a prompt, and gives back the facts of the run. */
  prompt(sessionId: string, steps: readonly Step[]): Promise<readonly Fact[]>;
  facts(): readonly Fact[];
  /** What the user was told beside the facts. */
  notices(): readonly string[];
};

type SiteOptions = {
  readonly place: string;
  readonly kind: SiteKind;
  readonly boot?: string;
  readonly store?: Store;
  readonly change?: (snapshots: Snapshots) => Snapshots;
  /** Another program in the place of git, for counting. */
  readonly gitPath?: string;
};

const grammars = createGrammars();

/** Some commands need a rule that spells them out. */
const allowed = ["*", "git clean -fdxq", "git gc -q --prune=now"].map((pattern) => ({
  ...{ permission: pattern === "*" ? "*" : "bash", pattern },
  action: "allow" as const,
}));

export async function openSite(options: SiteOptions): Promise<UndoSite> {
  const { place, kind, boot = "boot-1", store: given, change, gitPath } = options;
  const root = join(place, "w");
  const home = join(place, "home");
  mkdirSync(home, { recursive: true });
  const script: ScriptedAnswer[] = [];
  const facts: Fact[] = [];
  const notices: string[] = [];
  const store =
    given ??
    createMemoryStore({ now: Date.now, randomBytes: (size) => new Uint8Array(size).fill(7), isAlive: () => false });
  const real = createGitSnapshots({
    directory: join(place, "snapshots"),
    root,
    environment: () => ({ PATH: process.env["PATH"] }),
    home,
    isInsideGitRepository: kind === "git",
    ...(gitPath !== undefined && { gitPath }),
  });
  const snapshots = change === undefined ? real : change(real);
  const shell = createShellReading({
    redefined: () => [],
    programOfProject: () => undefined,
    untrustedGitProgram: () => undefined,
    platform: "linux",
  });
  await shell.load();
  const lookAtPath = createLookAtPath({ root, added: [] });
  const ids = createCountingIds();
  const now = Date.now;
  const monotonicMs = () => performance.now();
  let asked = 0;
  const parts: EngineParts = {
    store,
    models: {
      find: async (ref) => ({
        ok: true,
        model: { ref, provider: "mock", id: "model", contextTokens: 1_000_000, outputTokensMax: 8000 },
        provider: {
          stream: (request, signal) => {
            asked += 1;
            return createScriptedProvider([script[asked - 1] ?? textAnswer("Done.")]).stream(request, signal);
          },
        },
      }),
      cost: () => ({ usd: 0, estimated: false }),
    },
    toolSources: [
      fixedToolSource({ name: "built-in", kind: "built-in" }, () =>
        createTools({
          ripgrepPath: findRipgrep,
          shellPath: "/bin/bash",
          childEnvironment: () => userEnvironment,
          bash: bashSettingsDefault,
          isBashOffered: true,
          isInteractive: false,
          jobsEnabled: true,
          pollWait: "5s",
          pty: { available: () => false, load: () => Promise.reject(new Error("no terminal is opened here")) },
          readCommands: shell.load,
          onlyLooks: () => false,
          now: monotonicMs,
          wallClockMs: now,
          isInside: (path) => lookAtPath(path).place === "inside",
          grammars,
          tasks: createTaskList({ path: join(place, "tasks.json") }),
          web: { judgeAddress: () => ({ verdict: "block", why: "no network in this test" }) },
          editing: { fuzzyMatch: true, fuzzyThreshold: 0.95, blockGenerated: false, recovery: true },
          reading: { defaultLimit: 2000, summarize: false },
          offersCheckpoints: false,
        }),
      ),
    ],
    snapshots,
    resources: {
      newFileState: createFileState,
      newOutputSink: (sink) => createOutputSink({ headBytes: 4096, tailBytes: 4096, now: monotonicMs, ...sink }),
      newArtifacts: (sessionId) =>
        createArtifacts({ directory: join(place, "output", sessionId), redactor: createRedactorDouble() }),
      newJobs: () => createJobs({ now, max: 10 }),
    },
    machine: createMachineLook({ monotonicMs }),
    workspace: {
      cwd: root,
      root,
      projectId: "project",
      lookAtPath,
      analyseShell: shell.analyse,
      isProtected: (path) => isProtectedPath(path, { home, root }),
      home,
      kedgeHome: join(home, ".kedge"),
    },
    autoMode: { allow: [], softDeny: [], environment: [] },
    rules: [{ source: "user", rules: allowed }],
    interactive: true,
    concurrentCallsMax: 10,
    holder: { boot, pid: 1, startedAt: "0" },
    kedgeVersion: "0.0.0",
    clock: { now, monotonicMs },
    newId: (prefix) => ids.newId(`${prefix}${boot}-`),
    newRequestId: ids.newRequestId,
    redact: (text) => text,
    resultRedactor: createRedactorDouble(),
    localCommands: [],
    prompt: { override: "SYSTEM", platform: "linux", shell: "bash", isGitRepository: false, today: () => "2026-01-01" },
  };
  const engine = createEngine(parts, () => parts);
  const ended = new Map<string, () => void>();

  function listen(sessionId: string): void {
    engine.subscribe(sessionId, (event) => {
      if (event.kind === "signal" && event.signal.type === "notice") notices.push(event.signal.text);
      if (event.kind !== "fact") return;
      const { fact } = event.record;
      facts.push(fact);
      if (fact.type === "run.ended") ended.get(fact.runId)?.();
      if (fact.type === "permission.asked") {
        const { requestId } = fact;
        void engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
      }
    });
  }

  return {
    root,
    engine,
    store,
    snapshots,
    facts: () => facts,
    notices: () => notices,
    async open() {
      const created = await engine.send({ type: "session.create", mode: "bypass", model: "mock/model" });
      if (!created.ok) throw new Error(created.failure.message);
      listen(created.value.sessionId);
      return created.value.sessionId;
    },
    async resume(sessionId) {
      listen(sessionId);
      const resumed = await engine.send({ type: "session.resume", sessionId, mode: "bypass" });
      if (!resumed.ok) throw new Error(resumed.failure.message);
    },
    async prompt(sessionId, steps) {
      const seen = facts.length;
      script.length = asked;
      for (const step of steps) {
        script.push(
          toolAnswer(
            ...step.map((call, index) => ({ callId: `${basename(place)}-${boot}-${script.length}-${index}`, ...call })),
          ),
        );
      }
      script.push(textAnswer("Done."));
      const sent = await engine.send({
        ...{ type: "prompt.submit", sessionId, text: "go", delivery: "steer", options: {} },
      } as const);
      if (!sent.ok) throw new Error(sent.failure.message);
      const { runId } = sent.value;
      const isOver = (fact: Fact) => fact.type === "run.ended" && fact.runId === runId;
      if (!facts.some(isOver)) await new Promise<void>((resolve) => ended.set(runId, resolve));
      return facts.slice(seen);
    },
  };
}

/** Calls that did not end well, for a message. */
export function failedCalls(facts: readonly Fact[]): readonly string[] {
  return facts
    .filter((fact): fact is FactOf<"tool.ended"> => fact.type === "tool.ended")
    .flatMap(({ tool, outcome, output, metadata }) => {
      const exitCode = metadata?.["exitCode"];
      const isWell = outcome === "completed" && (exitCode === undefined || exitCode === 0);
      return isWell ? [] : [`${tool} ${outcome} ${String(exitCode)}: ${output}`];
    });
}
