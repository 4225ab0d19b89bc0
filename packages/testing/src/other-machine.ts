/** Another machine in the same network: a network namespace, joined to this one by a pair of virtual cables. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type OtherMachine = {
  /** Of this machine, as the other one sees it. */
  readonly hostAddress: string;
  readonly address: string;
  /** The name of the interface here. */
  readonly interfaceName: string;
  /** A connection from there to a port here. */
  connect(port: number): Socket;
  /** The words that run a program there. */
  wordsFor(program: readonly string[]): readonly string[];
  close(): Promise<void>;
};

type OtherMachineOptions = {
  /** The first two numbers of the network. */
  readonly network?: string;
  /** Begins the name of the interface here. */
  readonly prefix?: string;
};

/** Undefined where one can be made; otherwise the reason, for tests that are skipped. */
export function whyNoOtherMachine(): string | undefined {
  if (process.platform !== "linux") return "network namespaces need Linux";
  if (process.getuid?.() !== 0) return "making a network namespace needs root";
  const name = `kedge-try-${process.pid}`;
  try {
    execFileSync("ip", ["netns", "add", name], { stdio: "ignore" });
    execFileSync("ip", ["netns", "del", name], { stdio: "ignore" });
    return undefined;
  } catch {
    return "ip netns does not work here (it needs iproute2 and the right to make namespaces)";
  }
}

let made = 0;

export async function openOtherMachine(options: OtherMachineOptions = {}): Promise<OtherMachine> {
  const { network = "10.213", prefix = "kdg" } = options;
  made += 1;
  const name = `kedge-${process.pid}-${made}`;
  const here = `${prefix}${process.pid}${made}`.slice(0, 15);
  const there = "kdgfar0";
  const third = process.pid % 256;
  const first = ((Math.floor(process.pid / 256) % 16) * 4 + made) % 63;
  const [hostAddress, address] = [1, 2].map((last) => `${network}.${third}.${first * 4 + last}`) as [string, string];
  const ip = (...words: readonly string[]) => execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
  ip("netns", "add", name);
  ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
  ip("addr", "add", `${hostAddress}/30`, "dev", here);
  ip("link", "set", here, "up");
  for (const words of [
    ["addr", "add", `${address}/30`, "dev", there],
    ["link", "set", there, "up"],
    ["link", "set", "lo", "up"],
  ])
    ip("-n", name, ...words);
  const folder = mkdtempSync(join(tmpdir(), "kedge-far-"));
  const path = join(folder, "socket");
  const script = join(folder, "forward.cjs");
  writeFileSync(script, forwarder);
  const wordsFor = (program: readonly string[]) => ["ip", "netns", "exec", name, ...program];
  const [program = "", ...words] = wordsFor([process.execPath, script, path, hostAddress]);
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  await ready(child);
  return {
    ...{ hostAddress, address, interfaceName: here, wordsFor },
    connect(port) {
      const socket = connect(path);
      socket.write(`${port}\n`);
      return socket;
    },
    async close() {
      child.kill("SIGKILL");
      await once(child, "close");
      ip("link", "del", here);
      ip("netns", "del", name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error("no output");
  await once(stdout, "data");
}

/** Sockets of the file system are seen from both sides. The first line names the port here. */
const forwarder = `
const net = require("node:net");
const [path, host] = process.argv.slice(2);
net.createServer({ allowHalfOpen: true }, (near) => {
  near.on("error", () => {});
  near.once("data", (chunk) => {
    near.pause();
    const end = chunk.indexOf(10);
    const far = net.connect({ port: Number(chunk.subarray(0, end)), host, allowHalfOpen: true });
    far.on("error", () => near.destroy());
    near.on("error", () => far.destroy());
    near.on("close", () => far.destroy());
    far.on("close", () => near.end());
    if (end + 1 < chunk.length) far.write(chunk.subarray(end + 1));
    near.pipe(far);
    far.pipe(near);
  });
}).listen(path, () => process.stdout.write("ready"));
`;
