/** Makes the profile of a session from its workspace and its settings. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { protectedNamesIn } from "./protected-names.ts";
import { repositoryPathsOf } from "./repository-paths.ts";
import { isWithin, type SandboxProfile } from "./sandbox-profile.ts";

export type WorkspaceProfileParts = {
  /** The workspace first, then the directories added to it. All exist. */
  readonly roots: readonly string[];
  /** More that the user made writable, such as caches of package managers; nothing in them is protected by name. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly home: string;
  /** Where kedge keeps what is not for commands: credentials, journals. */
  readonly secrets: readonly string[];
  readonly allowedHosts: readonly string[];
};

/** Below the home; keys and tokens that a command needs no more than its network. */
const secretNames: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".kube",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".pypirc",
];

export function workspaceProfile(parts: WorkspaceProfileParts): SandboxProfile {
  const roots = parts.roots.map((root) => realpathSync(root));
  const repositories = roots.map(repositoryPathsOf);
  const writable = [...roots, ...repositories.flatMap((repository) => repository.writable), ...parts.writable];
  const isHomeInside = writable.some((root) => isWithin(parts.home, root));
  const named = roots
    .filter((root) => root !== parts.home)
    .flatMap((root) => protectedNamesIn(root, { isHome: false }));
  return {
    writable,
    readable: parts.readable,
    protectedPaths: [
      ...named,
      ...repositories.flatMap((repository) => repository.protectedPaths),
      ...(isHomeInside ? protectedNamesIn(parts.home, { isHome: true }) : []),
    ],
    searched: roots,
    hidden: [...parts.secrets, ...secretNames.map((name) => join(parts.home, name))],
    network: parts.allowedHosts.length === 0 ? "off" : { allowedHosts: parts.allowedHosts },
  };
}
