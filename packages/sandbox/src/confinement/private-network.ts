/** Holds a network of its own for the commands of one session: loopback only, with a bridge to the egress proxy if there is one. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { attemptStart } from "@kedge/protocol";
import { numberIn } from "./sandbox-end.ts";

export type PrivateNetworkParts = {
  readonly bwrapPath: string;
  readonly catPath: string;
  /** Without it nothing leads out. */
  readonly bridge?: { readonly socatPath: string; readonly socketPath: string; readonly connectionsMax: number };
};

/** Commands of one session share it, so that one can ask a server that another one has started. */
export type PrivateNetwork = {
  /** Arguments of `nsenter` by which a program starts in it. */
  readonly entry: readonly string[];
  close(): void;
};

/** Where commands find the proxy. */
export const bridgePort = 3128;

const startMsMax = 5_000;
const pollMs = 2;
const reportDescriptor = 3;
const listening = "0A";

export async function openPrivateNetwork(
  parts: PrivateNetworkParts,
): Promise<PrivateNetwork | { readonly problem: string }> {
  // Not with a `/dev` of its own: for that bubblewrap makes a second user namespace, which does not own the network.
  const namespaces = ["--unshare-user", "--unshare-net", "--unshare-pid", "--unshare-ipc"];
  const options = ["--dev-bind", "/", "/", "--die-with-parent", "--info-fd", `${reportDescriptor}`];
  const child = attemptStart(() =>
    spawn(parts.bwrapPath, [...namespaces, ...options, "--", ...keeperCommand(parts)], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      env: {},
      cwd: "/",
    }),
  );
  if ("problem" in child) return { problem: `bubblewrap did not start: ${child.problem}` };
  const complaint = text(child.stderr);
  const failed = once(child, "exit").then(
    async () => ({ problem: `bubblewrap did not start: ${(await complaint).trim() || "it gave no reason"}` }),
    (error: Error) => ({ problem: `bubblewrap did not start: ${error.message}` }),
  );
  const started = await Promise.race([failed, waitForStart(child, parts)]);
  if ("problem" in started) {
    child.kill("SIGKILL");
    return started;
  }
  child.unref();
  // A session that is over must not be kept running by the pipes to its keeper.
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return hold(child, started.pid);
}

/** Both end when this process does, the first by losing its input. */
function keeperCommand({ catPath, bridge }: PrivateNetworkParts): readonly string[] {
  if (bridge === undefined) return [catPath];
  const listen = `TCP4-LISTEN:${bridgePort},bind=127.0.0.1,reuseaddr,fork,max-children=${bridge.connectionsMax}`;
  return [bridge.socatPath, listen, `UNIX-CONNECT:${bridge.socketPath}`];
}

type Start = { readonly pid: number } | { readonly problem: string };

async function waitForStart(child: ChildProcess, { bridge }: PrivateNetworkParts): Promise<Start> {
  const report = child.stdio[reportDescriptor];
  if (!(report instanceof Readable)) throw new Error("The report of bubblewrap comes in a pipe.");
  const pid = numberIn(await text(report), "child-pid");
  if (pid === undefined) return { problem: "bubblewrap did not report which process it started" };
  if (bridge === undefined) {
    // It answers only once the network is up, because bubblewrap starts it last.
    child.stdin?.write("ready\n");
    if (child.stdout !== null) await once(child.stdout, "data");
    return { pid };
  }
  for (let waitedMs = 0; waitedMs < startMsMax; waitedMs += pollMs) {
    if (isListening(pid)) return { pid };
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return { problem: `the bridge to the proxy did not listen within ${startMsMax} ms` };
}

function isListening(pid: number): boolean {
  const port = bridgePort.toString(16).toUpperCase().padStart(4, "0");
  const sockets = readFileSync(`/proc/${pid}/net/tcp`, "latin1");
  return sockets.split("\n").some((line) => line.includes(`:${port} `) && line.includes(` ${listening} `));
}

/** The open files keep the namespaces alive, and no other process can come to bear their name, as it can a number. */
function hold(child: ChildProcess, pid: number): PrivateNetwork {
  const user = openSync(`/proc/${pid}/ns/user`, "r");
  const network = openSync(`/proc/${pid}/ns/net`, "r");
  const fileOf = (descriptor: number) => `/proc/${process.pid}/fd/${descriptor}`;
  return {
    entry: ["--preserve-credentials", `--user=${fileOf(user)}`, `--net=${fileOf(network)}`],
    close() {
      closeSync(user);
      closeSync(network);
      child.kill("SIGKILL");
    },
  };
}
