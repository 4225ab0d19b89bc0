/** The real program at each of its doors, at work on commands that try to get away from it, and what must hold after its end. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@kedge/sdk";
import {
  borrowCodeCaches,
  createSeededRandom,
  lendCodeCaches,
  livingProcesses,
  type MockModel,
  type MockTurn,
  runawayCommand,
  runawayWord,
  startMockModel,
} from "@kedge/testing";
import { openScreenTerminal, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { expect, onTestFinished } from "vitest";
import { entry, expectAllClosed, openStore, type Stored, storedSession } from "../crash/crash-bench.ts";

/** Of whichever test has opened one. */
export const random = createSeededRandom();

export type Site = {
  readonly home: string;
  readonly project: string;
  /** Stands on the command line of every process that the model starts, and nowhere else. */
  readonly word: string;
  readonly model: MockModel;
  readonly environment: NodeJS.ProcessEnv;
  /** Undefined when no session was stored. Repaired as the next start would. */
  stored(): Promise<Stored | undefined>;
  close(): Promise<void>;
};

/** A job, daemons, a search that waits, a file that is written, and at last a command that goes on until it is ended. */
function work(word: string): readonly MockTurn[] {
  const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
  const run = (command: string, more: object = {}) => call("bash", { command, description: "run", ...more });
  return [
    run(`sleep ${word}`, { background: true }),
    run("bash fled-1.sh"),
    call("write", { filePath: "written.txt", content: "written\n" }),
    run("bash fled-2.sh"),
    run(`env -i setsid sleep ${word} </dev/null >/dev/null 2>&1 &`),
    run(`bash -c "sleep ${word}; :"; echo over`),
  ];
}

/** Ended with the test, the last first. Said to the test itself: files share a worker, and a hook beside them would serve only the first. */
function endWithTest(each: { close(): Promise<unknown> }): void {
  onTestFinished(() => each.close().then(() => undefined));
}

export async function openSite(): Promise<Site> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-doors-")));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const word = runawayWord(random);
  const model = await startMockModel({ script: work(word) });
  mkdirSync(home);
  borrowCodeCaches(home);
  mkdirSync(project);
  // In files, because some of them are asked for even where nothing else is.
  for (const number of [1, 2]) writeFileSync(join(project, `fled-${number}.sh`), runawayCommand(random, word));
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x" } };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ model: "mock/mock-model", provider, titles: { enabled: false } }),
  );
  const site: Site = {
    ...{ home, project, word, model },
    // As in a container, where even root may let everything pass.
    environment: {
      ...{ PATH: process.env["PATH"], HOME: folder, KEDGE_HOME: home, KEDGE_KEYRING: "off" },
      ...{ KUBERNETES_SERVICE_HOST: "1", TERM: "xterm-256color" },
    },
    async stored() {
      const store = openStore(home);
      const found = await storedSession(store, project);
      await store.close();
      return found;
    },
    async close() {
      for (const pid of livingProcesses(word).keys()) killIfThere(pid);
      await model.close();
      lendCodeCaches(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  endWithTest(site);
  return site;
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

export type Ending = { readonly code: number | null; readonly signal: string | null; readonly printed: string };

export type AtWork = {
  /** Of kedge itself. */
  readonly pid: number;
  readonly over: Promise<Ending>;
  /** Resolves when the last command runs. */
  readonly busy: Promise<void>;
};

const bypass = "--dangerously-skip-permissions";

export function startHeadless(site: Site, argv: readonly string[] = []): AtWork & { readonly child: ChildProcess } {
  const child = start(site, ["-p", "go", bypass, ...argv]);
  child.stdin.end();
  return { ...atWork(site, child), child };
}

export function startConsole(site: Site): AtWork {
  const child = start(site, ["--console", bypass]);
  child.stdin.write("go\n");
  return atWork(site, child);
}

export async function startServer(site: Site): Promise<AtWork> {
  const child = start(site, ["serve", "--json", "--port", "0", bypass]);
  const line = await new Promise<string>((resolve) => child.stdout.once("data", (bytes) => resolve(String(bytes))));
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  const client = createClient({ url, token });
  const opened = await client.send<"session.create">({ type: "session.create", mode: "bypass" });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { sessionId } = opened.value;
  // It is ended in the midst of it, which ends the connection.
  const prompt = { type: "prompt.submit", sessionId, text: "go", delivery: "follow-up", options: {} } as const;
  await client.send<"prompt.submit">(prompt);
  return atWork(site, child);
}

function start({ project, environment }: Site, argv: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [entry, ...argv], { cwd: project, env: environment });
  child.stdin.on("error", () => undefined);
  endWithTest({ close: async () => child.kill("SIGKILL") });
  return child;
}

function atWork(site: Site, child: ChildProcessWithoutNullStreams): AtWork {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      printed += bytes.toString();
    });
  }
  const over = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, printed }));
  });
  const busy = isBusy(site);
  // Nobody may wait for it.
  busy.catch(() => undefined);
  return { pid: child.pid ?? 0, over, busy };
}

/** The last command is on its way, and what the others started is there: a job, one that fled, and the last one with its shell. */
export async function isBusy({ model, word }: Site): Promise<void> {
  await model.waitForRequest(6);
  await expect.poll(() => livingProcesses(word).size, { message: "processes at work" }).toBeGreaterThan(3);
}

/** Tells the settings of the terminal before and after, and how the program ended; stays until a line is typed. */
const witness =
  'trap : INT HUP TERM QUIT; echo "before $(stty -g)"; "$@"; echo "ended with $?"; echo "after $(stty -g)"; echo "over"; read line';

export type AtScreen = {
  readonly terminal: ScreenTerminal;
  /** Of kedge itself; undefined when it is gone. */
  readonly program: () => number | undefined;
  readonly busy: Promise<void>;
};

/** In a terminal of its own, with a shell around it. */
export async function startScreen(site: Site): Promise<AtScreen> {
  const { project, environment } = site;
  const words = [process.execPath, entry, bypass, "go on"];
  const terminal = await openScreenTerminal({
    ...{ command: "sh", arguments: ["-c", witness, "sh", ...words], cwd: project, columns: 110 },
    environment: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? ""])),
  });
  endWithTest(terminal);
  const busy = isBusy(site);
  busy.catch(() => undefined);
  const program = () => [...livingProcesses(`${entry} ${bypass}`)].find(([pid]) => parentOf(pid) === terminal.pid)?.[0];
  return { terminal, program, busy };
}

function parentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

/** No process is left, and what was stored holds and opens; the run is closed if kedge had time to close it. */
export async function expectNothingLeft(site: Site, { isRecorded }: { readonly isRecorded: boolean }): Promise<void> {
  const left = () => [...livingProcesses(site.word).values()];
  await expect.poll(left, { message: "processes that outlived kedge" }).toEqual([]);
  const stored = await site.stored();
  if (stored === undefined || !isRecorded) return;
  expectAllClosed(stored);
  const began = stored.records.some(({ fact }) => fact.type === "step.started");
  const ended = stored.records.findLast(({ fact }) => fact.type === "run.ended")?.fact;
  if (began) expect(ended).toMatchObject({ reason: "aborted" });
}
