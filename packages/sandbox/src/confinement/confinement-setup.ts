/** Opens what all confined commands of a session share: a private directory, a network and the proxy that leads out. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AskHost, connectionsMax, openEgressProxy } from "./egress-proxy.ts";
import { findProgram } from "./find-program.ts";
import { makePrivateDirectory } from "./private-directory.ts";
import { openPrivateNetwork } from "./private-network.ts";
import { filterArchitectureOf, systemCallFilter } from "./system-call-filter.ts";

const proxyName = "proxy";
/** What the system takes as the path of a socket. */
const socketPathBytesMax = 107;
const shortRoot = "/tmp";

export type ConfinementSetupParts = {
  readonly architecture: string;
  readonly temporaryRoot: string;
  /** Nobody else can be reached unasked. */
  readonly allowedHosts: readonly string[];
  readonly askerOf: (word: string) => AskHost | undefined;
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
};

export type ConfinementSetup = {
  readonly bwrapPath: string;
  /** The program that leads into the network, with its arguments. */
  readonly entry: readonly [file: string, ...args: string[]];
  readonly directory: string;
  /** Kept from one command to the next. */
  readonly temporary: string;
  readonly emptyFile: string;
  readonly filter: string;
  /** Whether anything leads out. */
  readonly hasProxy: boolean;
  close(): void;
};

/** The machine was checked before. */
export async function openConfinement(
  parts: ConfinementSetupParts,
): Promise<ConfinementSetup | { readonly problem: string }> {
  const [bwrapPath, nsenterPath, catPath] = ["bwrap", "nsenter", "cat"].map((name) => findProgram(name));
  const architecture = filterArchitectureOf(parts.architecture);
  if (bwrapPath === undefined || nsenterPath === undefined || catPath === undefined || architecture === undefined)
    return { problem: "A part of the sandbox is missing since the last check. Run kedge doctor." };

  const directory = makePrivateDirectory(rootFor(parts.temporaryRoot), "sandbox");
  const temporary = join(directory, "tmp");
  const emptyFile = join(directory, "empty");
  const filter = join(directory, "filter");
  mkdirSync(temporary);
  // As directories for temporary files are; the one around it belongs to one user alone.
  chmodSync(temporary, 0o1777);
  writeFileSync(emptyFile, "", { mode: 0o444 });
  writeFileSync(filter, systemCallFilter(architecture), { mode: 0o400 });

  const way = await openWayOut(parts, directory);
  const network = await openPrivateNetwork({ bwrapPath, catPath, ...(way && { bridge: way.bridge }) });
  const close = () => {
    way?.proxy.close();
    rmSync(directory, { recursive: true, force: true });
  };
  if ("problem" in network) {
    close();
    return network;
  }
  return {
    bwrapPath,
    entry: [nsenterPath, ...network.entry, "--"],
    directory,
    temporary,
    emptyFile,
    filter,
    hasProxy: way !== undefined,
    close() {
      network.close();
      close();
    },
  };
}

/** A directory for temporary files may lie so deep that no socket can be made in it. */
function rootFor(temporaryRoot: string): string {
  const longest = join(temporaryRoot, "kedge-sandbox-4294967295-4194304-abcdef", proxyName);
  return Buffer.byteLength(longest) <= socketPathBytesMax ? temporaryRoot : shortRoot;
}

/** Also without a list: then every host is asked about, and what is refused says so instead of failing for no reason. */
async function openWayOut({ allowedHosts, askerOf, lookUp }: ConfinementSetupParts, directory: string) {
  const socatPath = findProgram("socat");
  if (socatPath === undefined) return undefined;
  const socketPath = join(directory, proxyName);
  const proxy = await openEgressProxy({ socketPath, allowedHosts, askerOf, ...(lookUp && { lookUp }) });
  return { proxy, bridge: { socatPath, socketPath, connectionsMax } };
}
