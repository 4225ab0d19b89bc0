/** A workspace, a home and a user for tests of the sandbox, which runs in a process of that user. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { CommandResult, SessionOutcome, SessionPlan } from "./confinement-session.ts";

export type StageUser = { readonly name: string; readonly uid: number; readonly gid: number };

const nobody = 65_534;

/** An ordinary one, and root when the tests run as root. */
export function stageUsers(): readonly StageUser[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid !== 0) return [{ name: "an ordinary user", uid, gid }];
  return [
    { name: "root", uid, gid },
    { name: "an ordinary user", uid: nobody, gid: nobody },
  ];
}

export type Stage = {
  readonly workspace: string;
  readonly home: string;
  /** Writes a file of the user, with its directories. */
  put(path: string, content: string): void;
  /** Runs a command of the user outside of any sandbox. */
  runFree(command: string): Promise<string>;
  /** Runs commands in one session and gives what each did. */
  run(commands: readonly string[], changes?: Partial<SessionPlan>): Promise<readonly CommandResult[]>;
  open(commands: readonly string[], changes?: Partial<SessionPlan>): RunningSession;
  remove(): void;
};

export type RunningSession = { readonly outcome: Promise<SessionOutcome>; kill(): void };

export function openStage(user: StageUser): Stage {
  const root = mkdtempSync(join(tmpdir(), "kedge-stage-"));
  chownSync(root, user.uid, user.gid);
  chmodSync(root, 0o755);
  const makeDirectory = (path: string): void => {
    if (path === root) return;
    makeDirectory(dirname(path));
    mkdirSync(path, { recursive: true });
    chownSync(path, user.uid, user.gid);
  };
  const workspace = join(root, "workspace");
  const home = join(root, "home");
  for (const path of [workspace, home, join(root, "temporary"), join(root, "state")]) makeDirectory(path);
  const environment = { PATH: "/usr/bin:/bin", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const start = (file: string, args: readonly string[]) =>
    spawn(file, [...args], { uid: user.uid, gid: user.gid, cwd: workspace, env: environment });

  const sessions: ChildProcess[] = [];
  const open = (commands: readonly string[], changes: Partial<SessionPlan> = {}): RunningSession => {
    const plan: SessionPlan = {
      profile: { roots: [workspace], writable: [], readable: [], home, secrets: [], allowedHosts: [] },
      temporaryRoot: join(root, "temporary"),
      leaseDirectory: join(root, "state", "leases"),
      cwd: workspace,
      environment,
      names: {},
      commands,
      opensDescriptors: false,
      measuredRuns: 0,
      ...changes,
    };
    const session = start(process.execPath, [fileURLToPath(import.meta.resolve("./confinement-session.ts"))]);
    sessions.push(session);
    session.stdin.end(JSON.stringify(plan));
    return {
      outcome: Promise.all([text(session.stdout), text(session.stderr)]).then(([output, complaint]) => {
        if (output === "") throw new Error(`The session ended without an outcome: ${complaint}`);
        // Printed by the program beside this one.
        return JSON.parse(output) as SessionOutcome;
      }),
      kill: () => void session.kill("SIGKILL"),
    };
  };
  return {
    workspace,
    home,
    put(path, content) {
      makeDirectory(dirname(path));
      writeFileSync(path, content);
      chownSync(path, user.uid, user.gid);
    },
    async runFree(command) {
      const shell = start("/bin/bash", ["-c", command]);
      const [output, complaint] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
      return output + complaint;
    },
    run: async (commands, changes) => (await open(commands, changes).outcome).results,
    open,
    remove() {
      for (const session of sessions) session.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** All files and directories below one, sorted. */
export function listTree(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
}
