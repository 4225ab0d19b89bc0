/** Starts an ACP agent where it can read the machine and write only to directories that the user named. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { AcpProcess } from "@kedge/agents/acp-workers";
import { attemptStart, endGroup } from "@kedge/protocol";
import { checkLooks } from "@kedge/sandbox/confinement";
import type { AcpAgentSetting } from "./acp-settings.ts";

export type AcpPlace = {
  readonly cwd: string;
  readonly userDirectory: string;
  /** Files and directories of kedge that it must not see. */
  readonly hidden: readonly string[];
  readonly environment: () => { readonly [name: string]: string };
};

const temporary = "/tmp";

/** Never without its limits: where bubblewrap is missing, nothing starts. */
export async function startAcpAgent(
  { command, env, writable }: AcpAgentSetting,
  place: AcpPlace,
): Promise<AcpProcess | { readonly problem: string }> {
  const checked = await checkLooks({
    platform: process.platform,
    architecture: process.arch,
    isRoot: process.getuid?.() === 0,
  });
  if (!checked.ok) return { problem: `${checked.sentence} ${checked.howTo}` };
  const directories = writable.map((path) => expanded(path, place)).filter((path) => existsSync(path));
  const { bwrapPath, hasUserNamespace } = checked;
  const args = [
    ...(hasUserNamespace ? ["--unshare-user"] : []),
    ...limits(command, directories, place),
    "--chdir",
    place.cwd,
    "--",
    ...command,
  ];
  const environment = { ...place.environment(), ...env };
  const child = attemptStart(() =>
    spawn(bwrapPath, args, { cwd: place.cwd, env: environment, stdio: ["pipe", "pipe", "ignore"], detached: true }),
  );
  if ("problem" in child) return child;
  const { stdin: input, stdout: output } = child;
  if (input === null || output === null) return { problem: "it could not be connected" };
  input.on("error", () => undefined);
  const gone = new Promise<string>((settle) => {
    child.once("error", ({ message }) => settle(`it could not be started (${message})`));
    child.once("exit", (code, signal) =>
      settle(code === null ? `it was killed by ${signal}` : `it exited with code ${code}`),
    );
  });
  return {
    input,
    output,
    gone,
    kill: () => endGroup(child.pid),
  };
}

/** The network stays: an agent without its model is none. */
function limits(command: readonly string[], writable: readonly string[], { cwd, hidden }: AcpPlace): readonly string[] {
  const isTemporary = (path: string) => path.startsWith(`${temporary}/`) && existsSync(path);
  // A program that was installed there needs what lies around it.
  const programs = command.filter(isTemporary).map((path) => path.split("/").slice(0, 3).join("/"));
  const shown = new Set([...programs, ...[cwd, ...writable].filter(isTemporary)]);
  return [
    ...["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc", "--tmpfs", temporary],
    ...[...shown].flatMap((path) => ["--ro-bind", path, path]),
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...hidden.filter((path) => existsSync(path)).flatMap(hide),
  ];
}

function hide(path: string): readonly string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function expanded(path: string, { cwd, userDirectory }: AcpPlace): string {
  const isHome = path === "~" || path.startsWith("~/");
  const whole = isHome ? join(userDirectory || homedir(), path.slice(1)) : resolve(cwd, path);
  return existsSync(whole) ? realpathSync(whole) : whole;
}
