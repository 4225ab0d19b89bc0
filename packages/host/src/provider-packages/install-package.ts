/** Installs provider packages into kedge's own directory with the npm of the user, and lists what is there. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { attemptStart, type Failure, isJsonObject } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createProcessTie } from "@kedge/tools";
import { openHome } from "../machine/home.ts";
import { thisProcess } from "../machine/identity.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { isPackageName, knownPackages, peerPackages } from "./known-packages.ts";
import { installDirectory, installedVersion, readPackageFile } from "./load-package.ts";

export type InstalledPackage = {
  readonly packageName: string;
  readonly version: string;
  /** How kedge calls it, where it knows it. */
  readonly provider?: string;
};

export type Installed =
  | { readonly ok: true; readonly installed: InstalledPackage }
  | { readonly ok: false; readonly failure: Failure };

export type InstallOptions = {
  readonly kedgeHome: string;
  /** Holds the PATH on which npm is found, and whatever npm itself reads. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Told what is done, as sentences. */
  readonly report: (sentence: string) => void;
};

export type WantedPackage = {
  readonly packageName: string;
  /** A version, a tag or `file:` and a path; the newest without it. */
  readonly version?: string;
  readonly peers: readonly string[];
};

const versionPattern = /^(?:[A-Za-z0-9][\w.+-]*|file:.+)$/;
const installTimeoutMs = 5 * 60 * 1000;
const errorTextCharactersMax = 64 * 1024;

/** Reads `provider`, `package` or `package@version`; a sentence when it is none of them. */
export function parseWantedPackage(text: string): WantedPackage | string {
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  const version = at === -1 ? undefined : text.slice(at + 1);
  const known = knownPackages.find(({ provider, packageName }) => name === provider || name === packageName);
  const packageName = known?.packageName ?? name;
  if (!isPackageName(packageName)) return `"${name}" is neither a provider nor an npm package name.`;
  if (version !== undefined && !versionPattern.test(version)) return `"${version}" is not a version.`;
  const chosen = version ?? known?.version;
  return {
    packageName,
    ...(chosen !== undefined && { version: chosen }),
    peers: known === undefined ? [] : peerPackages,
  };
}

/** Packages bring code that kedge runs, so nothing is installed but what was asked for, and no script of it is run. */
export async function installPackage(
  wanted: WantedPackage,
  { kedgeHome, environment, report }: InstallOptions,
  signal: AbortSignal,
): Promise<Installed> {
  const { packageName, version, peers } = wanted;
  const directory = installDirectory(kedgeHome);
  const spec = version === undefined ? packageName : `${packageName}@${version}`;
  const home = openHome(kedgeHome);
  if (!home.ok) return home;
  report(`Installing ${spec} into ${directory} …`);
  prepareDirectory(directory);
  const ended = await runNpm(
    [...npmArguments, "--prefix", directory, "--", spec, ...peers],
    { cwd: directory, environment },
    signal,
  );
  if (ended.kind === "missing") return { ok: false, failure: npmMissing };
  if (ended.kind === "stopped") return { ok: false, failure: stopped(packageName, ended.reason) };
  const installed = installedVersion(join(directory, "node_modules"), packageName);
  if (ended.exitCode !== 0 || installed === undefined) return { ok: false, failure: npmFailed(spec, ended.errorText) };
  return { ok: true, installed: describe(packageName, installed) };
}

/** What was installed by name, not what that needed. */
export function listInstalledPackages(kedgeHome: string): readonly InstalledPackage[] {
  const directory = installDirectory(kedgeHome);
  const wanted = readPackageFile(directory)?.["dependencies"];
  const peerNames = peerPackages.map((peer) => peer.slice(0, peer.lastIndexOf("@")));
  return Object.keys(isJsonObject(wanted) ? wanted : {}).flatMap((packageName) => {
    const version = installedVersion(join(directory, "node_modules"), packageName);
    return version === undefined || peerNames.includes(packageName) ? [] : [describe(packageName, version)];
  });
}

function describe(packageName: string, version: string): InstalledPackage {
  const provider = knownPackages.find((known) => known.packageName === packageName)?.provider;
  return { packageName, version, ...(provider !== undefined && { provider }) };
}

const npmArguments: readonly string[] = [
  "install",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--save-exact",
  "--loglevel=error",
];

/** The file keeps npm from taking the directory for a part of something above it. */
function prepareDirectory(directory: string): void {
  if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
  const file = join(directory, "package.json");
  if (!existsSync(file)) replaceFile(file, `${JSON.stringify({ private: true })}\n`);
}

type NpmEnd =
  | { readonly kind: "ended"; readonly exitCode: number; readonly errorText: string }
  | { readonly kind: "missing" }
  | { readonly kind: "stopped"; readonly reason: "aborted" | "timed-out" };

/** A registry may be a private one. */
const registryTokens: readonly string[] = ["NPM_TOKEN", "NODE_AUTH_TOKEN"];

function runNpm(
  values: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: InstallOptions["environment"] },
  signal: AbortSignal,
): Promise<NpmEnd> {
  const timeout = AbortSignal.timeout(installTimeoutMs);
  const tie = createProcessTie(thisProcess());
  return new Promise<NpmEnd>((resolve, reject) => {
    const child = attemptStart(() =>
      spawn("npm", values, {
        cwd,
        env: tie.environment(childEnvironment(environment, { scrub: true, passthrough: registryTokens })),
        stdio: ["ignore", "ignore", "pipe"],
        signal: AbortSignal.any([signal, timeout]),
      }),
    );
    if ("problem" in child) return resolve({ kind: "ended", exitCode: 1, errorText: child.problem });
    let errorText = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      errorText = (errorText + text).slice(-errorTextCharactersMax);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.name === "AbortError") resolve({ kind: "stopped", reason: signal.aborted ? "aborted" : "timed-out" });
      else if (error.code === "ENOENT" || error.code === "EACCES") resolve({ kind: "missing" });
      else reject(error);
    });
    child.on("close", (exitCode) => resolve({ kind: "ended", exitCode: exitCode ?? 1, errorText }));
  }).finally(() => tie.close());
}

const npmMissing: Failure = {
  code: "configuration",
  message: "npm is required to install packages and is not on the PATH.",
  recovery: "Install npm (it comes with Node.js) and try again.",
  retryable: false,
};

function stopped(packageName: string, reason: "aborted" | "timed-out"): Failure {
  if (reason === "aborted") return { code: "aborted", message: "Stopped.", retryable: false };
  return {
    code: "api_timeout",
    message: `npm did not finish installing ${packageName} in ${installTimeoutMs / 60_000} minutes.`,
    recovery: "Check the network, and try again.",
    retryable: true,
  };
}

const reasonOfNpmCode: ReadonlyMap<string, string> = new Map([
  ["E404", "the registry has no such package"],
  ["ETARGET", "the registry has no such version"],
  ["ENOTFOUND", "the registry cannot be reached"],
  ["EAI_AGAIN", "the registry cannot be reached"],
  ["ECONNREFUSED", "the registry cannot be reached"],
  ["ECONNRESET", "the registry cannot be reached"],
  ["ETIMEDOUT", "the registry cannot be reached"],
  ["ERESOLVE", "it conflicts with an installed package"],
  ["EACCES", "the directory cannot be written"],
  ["ENOSPC", "the disk is full"],
  ["ENOENT", "no such file"],
  ["EINTEGRITY", "the download is corrupted"],
]);

function npmFailed(spec: string, errorText: string): Failure {
  const code = /^npm (?:error|ERR!) code (\S+)$/m.exec(errorText)?.[1] ?? "";
  const reason = reasonOfNpmCode.get(code) ?? "npm reported an error";
  return {
    code: "configuration",
    message: `${spec} could not be installed: ${reason}${code === "" ? "" : ` (${code})`}.`,
    recovery: "Check the name and version, or try again later.",
    retryable: false,
  };
}
