/** Which ports a server tries for its directory, so that a project keeps its address. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

const portFirst = 20_000;
const portCount = 10_000;
const nextPorts = 20;
/** The system chooses one that is free. */
const anyPort = 0;

/** Names a directory among the servers of this machine. */
export function projectHashOf(directory: string): string {
  return digestOf(directory).toString("hex");
}

export function preferredPort(directory: string): number {
  return portFirst + (digestOf(directory).readUInt32BE(0) % portCount);
}

/** In this order. */
export function portsToTry(directory: string): readonly number[] {
  const preferred = preferredPort(directory);
  return [...Array.from({ length: nextPorts + 1 }, (_, index) => preferred + index), anyPort];
}

function digestOf(directory: string): Buffer {
  return createHash("sha256").update(realpathSync.native(directory)).digest();
}
