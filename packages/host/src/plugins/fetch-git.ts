/** Takes one commit of a repository: no hook, filter, submodule or helper of it runs, and no other protocol is spoken. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { PluginSource } from "@kedge/extend/plugins";
import { type RanProgram, runProgram } from "./run-program.ts";

export type FetchPlace = {
  /** An empty directory for what is fetched. */
  readonly directory: string;
  readonly environment: { readonly [name: string]: string | undefined };
};

export type FetchedRepository =
  | { readonly ok: true; readonly directory: string; readonly commit: string }
  | { readonly ok: false; readonly why: string };

/** Of the settings of git those that could run something or reach further are set here, whatever files say. */
const settings: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "transfer.fsckObjects=true",
  "transfer.bundleURI=false",
  "http.followRedirects=initial",
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.allow=never",
  "protocol.version=2",
];

const quiet = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_TEMPLATE_DIR: "",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ASKPASS: "",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
};
/** Filters of the user's own configuration would run on a stranger's files. */
const withoutConfiguration = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export async function fetchGit(
  source: Extract<PluginSource, { kind: "git" }>,
  place: FetchPlace,
  signal: AbortSignal,
): Promise<FetchedRepository> {
  const { url, ref, sha } = source;
  const directory = join(place.directory, "repository");
  mkdirSync(directory);
  const run = (values: readonly string[], variables: { readonly [name: string]: string } = {}): Promise<RanProgram> =>
    runProgram(
      {
        program: "git",
        arguments: [
          ...[...settings, `protocol.${protocolOf(url)}.allow=always`].flatMap((each) => ["-c", each]),
          ...values,
        ],
        cwd: directory,
        environment: withoutGitVariables(place.environment),
        variables: { ...quiet, ...variables },
      },
      signal,
    );
  const made = await run(["init", "--quiet", "--template=", "."], withoutConfiguration);
  if (!made.ok) return made;
  const options = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  const target = "refs/kedge/taken";
  // A server may refuse a single commit by its hash; then everything is taken, and the commit looked for.
  const first = await run([...options, "--depth=1", "--", url, `+${sha ?? ref ?? "HEAD"}:${target}`]);
  if (!first.ok) {
    if (sha === undefined) return first;
    const all = await run([
      ...options,
      "--",
      url,
      `+${ref === undefined ? "refs/heads/*" : ref}:refs/kedge/all${ref === undefined ? "/*" : ""}`,
    ]);
    if (!all.ok) return first;
  }
  const named = await run(["rev-parse", "--verify", "--quiet", `${sha ?? target}^{commit}`], withoutConfiguration);
  if (!named.ok) return { ok: false, why: `the repository has no commit ${sha ?? ref ?? ""}`.trim() };
  const commit = named.output.trim();
  if (sha !== undefined && commit !== sha)
    return { ok: false, why: `the repository has a different commit than ${sha}` };
  const taken = await run(["checkout", "--quiet", "--force", "--detach", commit, "--"], withoutConfiguration);
  return taken.ok ? { ok: true, directory, commit } : taken;
}

function protocolOf(url: string): string {
  const [, scheme] = /^(https?|ssh|file):\/\//i.exec(url) ?? [];
  return scheme?.toLowerCase() ?? "ssh";
}

/** Variables such as `GIT_DIR` are those of a repository that the user works in. */
function withoutGitVariables(environment: FetchPlace["environment"]): FetchPlace["environment"] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_(?!SSL_|PROXY_)/.test(name)));
}
