/** A workspace, a home and a user for tests of the sandbox, which runs in a process of that user. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { CommandResult, SessionOutcome, SessionPlan } from "./confinement-session.ts";
import type { LookPlan, LookResult } from "./look-session.ts";

type StageUser = { readonly name: string; readonly uid: number; readonly gid: number };

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
  /** Runs commands as if they only looked, whatever they are. */
  look(commands: readonly string[], changes?: Partial<LookPlan>): Promise<LookResult>;
  remove(): void;
};

type RunningSession = { readonly outcome: Promise<SessionOutcome>; kill(): void };

export type StagePrograms = {
  readonly directory: string;
  readonly node: string;
  readonly session: string;
  readonly look: string;
};

/**
 * Node and the program of a session in a place that every user can reach, because the checkout may lie where only its
 * owner looks. Removed by whoever asked for it.
 */
export function makeStagePrograms(): StagePrograms {
  const directory = mkdtempSync(join(tmpdir(), "kedge-programs-"));
  chmodSync(directory, 0o755);
  const node = join(directory, "node");
  try {
    linkSync(realpathSync(process.execPath), node);
  } catch {
    // On another file system.
    copyFileSync(process.execPath, node);
  }
  const build = (name: string) => {
    const outfile = join(directory, `${name}.mjs`);
    const entry = fileURLToPath(import.meta.resolve(`./${name}.ts`));
    buildSync({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", outfile });
    chmodSync(outfile, 0o644);
    return outfile;
  };
  return { directory, node, session: build("confinement-session"), look: build("look-session") };
}

export function openStage(user: StageUser, programs: StagePrograms): Stage {
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
      profile: {
        roots: [workspace],
        writable: [],
        readable: [programs.directory],
        home,
        secrets: [],
        allowedHosts: [],
      },
      temporaryRoot: join(root, "temporary"),
      leaseDirectory: join(root, "state", "leases"),
      cwd: workspace,
      environment,
      names: {},
      commands,
      opensDescriptors: false,
      ...changes,
    };
    const session = start(programs.node, [programs.session]);
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
    async look(commands, changes) {
      const plan: LookPlan = {
        ...{ temporaryRoot: join(root, "temporary"), roots: [workspace], home, own: [join(home, ".kedge")], shown: [] },
        ...{ hidden: [], places: [], opened: [], cwd: workspace, environment, commands },
        ...changes,
      };
      const session = start(programs.node, [programs.look]);
      sessions.push(session);
      session.stdin.end(JSON.stringify(plan));
      const [output, complaint] = await Promise.all([text(session.stdout), text(session.stderr)]);
      if (output === "") throw new Error(`The session ended without an outcome: ${complaint}`);
      // Printed by the program beside this one.
      return JSON.parse(output) as LookResult;
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
