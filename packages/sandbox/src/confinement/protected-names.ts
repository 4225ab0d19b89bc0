/** The names in a workspace that decide what runs outside the sandbox later, and so must not be written inside it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProtectedPath, StandIn } from "./sandbox-profile.ts";

/** With everything below them. */
const names: readonly string[] = [
  // Hooks.
  ".husky",
  // Editors.
  ".vscode",
  ".idea",
  ".zed",
  ".cursor",
  ".windsurf",
  ".devcontainer",
  // Agents.
  ".kedge",
  ".claude",
  ".codex",
  ".gemini",
  ".opencode",
  ".agents",
  ".omp",
  ".pi",
  ".mcp.json",
  ".lsp.json",
  "opencode.json",
  // Work that a server does with the rights of the project.
  ".github/workflows",
  ".github/actions",
  ".github/hooks",
  ".github/copilot",
  ".circleci",
  ".gitlab-ci.yml",
  // Read by package managers and shells on entering the directory.
  ".envrc",
  ".mise.toml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  // Start-up files, for a workspace that is somebody's home.
  ".gitconfig",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
];

/** More of them, where a home directory lies inside what is writable. */
const homeNames: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".config/git",
  ".config/fish",
  ".config/systemd",
  ".config/autostart",
  ".local/bin",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".zlogin",
  ".zlogout",
  ".inputrc",
  ".vimrc",
  ".tmux.conf",
  ".cargo/bin",
  "bin",
];

/** They count only for a program that was installed for them, and then they are there. */
const namesWhenPresent: readonly string[] = [".githooks", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml"];

const directory: StandIn = { kind: "directory" };

export function protectedNamesIn(root: string, { isHome }: { readonly isHome: boolean }): readonly ProtectedPath[] {
  const all = isHome ? [...names, ...homeNames] : names;
  const present = namesWhenPresent.filter((name) => existsSync(join(root, name)));
  return [...all, ...present].map((name) => ({ path: join(root, name), standIn: directory }));
}
