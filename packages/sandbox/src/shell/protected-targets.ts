/** The files where a write decides what runs later: start-up files, hooks, settings of editors, agents and package managers. */
import { normalize } from "node:path";
import { isRepositoryPart } from "./repository-part.ts";

/** In any directory, with everything below them. */
const folders: ReadonlySet<string> = new Set(
  `.git .hg .svn .husky .githooks .vscode .idea .zed .cursor .windsurf .fleet .devcontainer .github/workflows .github/actions .github/hooks .github/copilot .circleci .gitlab .buildkite
  .claude .codex .gemini .opencode .kedge .agents .aider .continue .roo .cline .amazonq .kiro .junie .trae .augment .pi .omp .copilot
  .ssh .gnupg .aws .kube .docker .direnv .config/git .config/fish .config/kedge .config/opencode .config/zed .config/systemd .config/autostart .config/gh .config/pip
  .config/nvim .config/helix .config/direnv .config/environment.d .config/mise .local/share/kedge .vim .emacs.d .cargo/bin .local/bin LaunchAgents LaunchDaemons cron.d cron.daily cron.hourly cron.weekly cron.monthly crontabs
  .yarn/plugins .yarn/releases .bundle .cargo/config .cargo/config.toml .mvn .gradle/init.d`
    .trim()
    .split(/\s+/),
);

/** In any directory, by name. */
const files: ReadonlySet<string> = new Set(
  `.envrc .mcp.json .lsp.json mcp.json mcp_config.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .pypirc pip.conf pip.ini .gemrc .netrc .curlrc .wgetrc .gitconfig .lfsconfig
  .pre-commit-config.yaml lefthook.yml .lefthook.yml .gitlab-ci.yml .travis.yml azure-pipelines.yml jenkinsfile bitbucket-pipelines.yml .drone.yml
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .xinitrc .xsession .xprofile .pam_environment
  .vimrc .gvimrc .exrc .nvimrc .emacs .nanorc .tmux.conf .screenrc .gdbinit .lldbinit .pythonrc .pythonrc.py .irbrc .pryrc .perltidyrc .psqlrc .sqliterc .rprofile .lesskey .editrc .hgrc .condarc .toolrc .mise.toml mise.toml .tool-versions .rgrc .ripgreprc .actrc .bazelrc .terraformrc
  kedge.json kedge.jsonc kedge.yml kedge.yaml opencode.json opencode.jsonc .aider.conf.yml .cursorrules .windsurfrules
  authorized_keys known_hosts crontab sudoers .pythonstartup usercustomize.py sitecustomize.py`
    .trim()
    .split(/\s+/),
);

export type ProtectedPlace = {
  readonly home: string;
  /** The workspace; paths in it count from there. */
  readonly root?: string;
};

/** From the root, with everything below them. */
const systemFolders: readonly string[] =
  "/etc /private/etc /boot /bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/local/bin /usr/local/sbin /var/spool/cron /var/spool/at /system /proc /sys".split(
    " ",
  );

export function isProtectedPath(path: string, place: ProtectedPlace): boolean {
  // Some file systems do not tell upper from lower case.
  const lower = normalize(path).toLowerCase();
  const root = place.root?.toLowerCase();
  // A workspace may itself lie in a folder of such a name, as worktrees of agents do.
  const isInside = root !== undefined && root !== "/" && lower.startsWith(`${root}/`);
  const steps = (isInside ? lower.slice(root.length + 1) : lower).split("/");
  if (isInside && steps[0] === ".kedge" && ownFolders.has(steps[1] ?? "")) return false;
  if (files.has(steps.at(-1) ?? "")) return true;
  for (const [index, step] of steps.entries()) {
    if (lowerFolders.has(step) || lowerFolders.has(`${step}/${steps[index + 1] ?? ""}`)) return true;
  }
  const programs = `${place.home.toLowerCase()}/bin`;
  if ([...systemFolders, programs].some((folder) => lower === folder || lower.startsWith(`${folder}/`))) return true;
  return isRepositoryPart(normalize(path));
}

/** What kedge itself has written there for the agent. */
const ownFolders: ReadonlySet<string> = new Set(["plans", "worktrees"]);

const lowerFolders: ReadonlySet<string> = new Set([...folders].map((folder) => folder.toLowerCase()));
