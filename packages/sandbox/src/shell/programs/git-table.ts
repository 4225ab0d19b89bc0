/** Options and sub-commands of git. */
import { diffRow as diff, diffPlain, logRow as log, logPlain } from "./git-log-options.ts";
import type { OptionTable } from "./option-set.ts";
import type { ProgramRow } from "./ordinary-program.ts";

const writes = "writes a file";
const runs = "runs a command";

export const gitGlobals: OptionTable = {
  plain:
    "-P/--no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --namespace: -h/--help -v/--version --html-path --man-path --info-path --list-cmds: --attr-source:",
  special: [
    ["-p/--paginate", "none"],
    ["-C:", "directory"],
    ["-c:", "none"],
    ["--config-env:", "none", "sets a configuration that is not visible"],
    ["--exec-path?", "none", "runs other programs as git"],
    ["--git-dir:", "none"],
    ["--work-tree:", "none"],
    ["--super-prefix:", "none"],
  ],
  stopsAtOperand: true,
};

const looking: ProgramRow = { looks: true };

/** Sub-commands that are described completely by their options. */
export const gitTable: Readonly<Record<string, ProgramRow>> = {
  status: {
    plain:
      "-s/--short -b/--branch --show-stash --porcelain? --long -v/--verbose -u?/--untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?",
    looks: true,
  },
  diff,
  log,
  show: log,
  whatchanged: log,
  "rev-list": log,
  shortlog: { ...log, plain: `${logPlain} -s/--summary -e/--email -w? --group: -c` },
  "diff-tree": diff,
  "diff-index": diff,
  "diff-files": diff,
  "range-diff": { ...diff, plain: `${diffPlain} --creation-factor: --no-dual-color --left-only --right-only` },
  blame: {
    plain:
      "-b --root --show-stats -L: -l -t --reverse: -p/--porcelain --line-porcelain --incremental --encoding: --date: -M? -C? -h -c --score-debug -f/--show-name -n/--show-number -s -e/--show-email -w --abbrev: --ignore-rev: --color-lines --color-by-age --first-parent",
    special: [
      ["-S:", "read"],
      ["--contents:", "read"],
      ["--ignore-revs-file:", "read"],
    ],
    looks: true,
  },
  annotate: looking,
  "rev-parse": {
    plain:
      "--verify -q/--quiet --short? --abbrev-ref? --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --revs-only --no-revs --flags --no-flags --default: --absolute-git-dir --git-path: --show-superproject-working-tree --since: --until: --show-object-format? --path-format: --show-ref-format",
    looks: true,
  },
  "ls-files": {
    plain:
      "-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage --directory --no-empty-directory -u/--unmerged -k/--killed -z --deduplicate -x/--exclude: --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: -t -v -f --full-name --recurse-submodules --abbrev? --debug --eol --sparse --format:",
    special: [["-X/--exclude-from:", "read"]],
    looks: true,
  },
  "ls-tree": {
    plain: "-d -r -t -l/--long -z --name-only --name-status --object-only --abbrev? --full-name --full-tree --format:",
    looks: true,
  },
  "ls-remote": {
    plain:
      "-h/--heads/--branches -t/--tags --refs -q/--quiet --exit-code --get-url --sort: --symref -o/--server-option:",
    special: [["--upload-pack/--exec:", "script", runs]],
    looks: false,
  },
  "cat-file": {
    plain:
      "-t -s -e -p --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks -z -Z --path: --mailmap --use-mailmap",
    special: [
      ["--textconv", "none", "runs a conversion program"],
      ["--filters", "none", "runs a filter program"],
    ],
    looks: true,
  },
  "for-each-ref": {
    plain:
      "--count: --sort: --format: --color? --points-at: --merged? --no-merged? --contains? --no-contains? --ignore-case --omit-empty --exclude: --stdin --include-root-refs",
    special: [
      ["--shell", "none"],
      ["--perl", "none"],
      ["--python", "none"],
      ["--tcl", "none"],
    ],
    looks: true,
  },
  "show-ref": {
    plain:
      "--head -d/--dereference -s/--hash? --verify --exists --abbrev? -q/--quiet --tags --heads --branches --exclude-existing?",
    looks: true,
  },
  "merge-base": { plain: "-a/--all --octopus --independent --is-ancestor --fork-point", looks: true },
  "name-rev": {
    plain: "--tags --refs: --exclude: --all --annotate-stdin --stdin --name-only --no-undefined --always",
    looks: true,
  },
  describe: {
    plain:
      "--dirty? --broken? --all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent",
    looks: true,
  },
  "count-objects": { plain: "-v/--verbose -H/--human-readable", looks: true },
  "check-ignore": { plain: "-q -v --stdin -z -n --no-index", looks: true },
  "check-attr": { plain: "-a --stdin --cached -z --source:", looks: true },
  "check-ref-format": looking,
  "verify-pack": { plain: "-v -s", looks: true },
  "verify-commit": { special: [["--raw", "none"]], looks: false },
  cherry: { plain: "-v --abbrev?", looks: true },
  fsck: {
    plain:
      "--tags --root --unreachable --cache --no-reflogs --full --strict --verbose --no-dangling --connectivity-only --progress --no-progress",
    special: [["--lost-found", "change"]],
    looks: true,
  },
  var: looking,
  version: { plain: "--build-options", looks: true },
  help: {
    plain: "-a/--all -g/--guides -c/--config -v/--verbose -i/--info",
    special: [
      ["-m/--man", "none"],
      ["-w/--web", "none", "starts a browser"],
    ],
    looks: true,
  },
  grep: {
    plain:
      "--cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules -a/--text -i/--ignore-case -I --max-depth: -r/--recursive --no-recursive -w/--word-regexp -v/--invert-match -h -H --full-name -E/--extended-regexp -G/--basic-regexp -P/--perl-regexp -F/--fixed-strings -n/--line-number --column -l/--files-with-matches/--name-only -L/--files-without-match -z/--null -o/--only-matching -c/--count --color? --no-color --break --heading -p/--show-function -C/--context: -A/--after-context: -B/--before-context: -W/--function-context -m/--max-count: --threads: -e: --and --or --not --all-match -q/--quiet",
    special: [
      ["-O?/--open-files-in-pager?", "script", runs],
      ["-f:", "read"],
      ["--textconv", "none", "runs a conversion program"],
      ["--ext-grep", "none", runs],
    ],
    looks: true,
    takesNumbers: true,
  },
  archive: {
    plain: "--format: -l/--list -v/--verbose --prefix: --worktree-attributes --mtime: -0 -1 -9",
    special: [
      ["-o/--output:", "write", writes],
      ["--remote:", "none", "talks to another machine"],
      ["--exec:", "script", runs],
      ["--add-file:", "read"],
      ["--add-virtual-file:", "none"],
    ],
    looks: true,
  },
  "format-patch": {
    plain: `${diffPlain} -n/--numbered -N/--no-numbered -k/--keep-subject -s/--signoff --stdout --attach? --inline? --thread? --no-thread --in-reply-to: --subject-prefix: --rfc? -v/--reroll-count: --to: --cc: --from? --add-header: --cover-letter --signature: --suffix: -q/--quiet --zero-commit --base: --progress --start-number: --numbered-files --root -o`,
    special: [
      ["-o/--output-directory:", "write", writes],
      ["--output:", "write", writes],
      ["--signature-file:", "read"],
      ["--ext-diff", "none", "runs an outside diff program"],
      ["--textconv", "none", "runs a conversion program"],
    ],
    takesNumbers: true,
  },
  bundle: { suggestedWords: 3 },
  add: {
    plain:
      "-n/--dry-run -v/--verbose -f/--force -i/--interactive -p/--patch -e/--edit -u/--update -A/--all --no-all -N/--intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --chmod: --sparse",
    special: [["--pathspec-from-file:", "read"]],
  },
  commit: {
    plain:
      "-a/--all -p/--patch -m/--message: -C/--reuse-message: -c/--reedit-message: --fixup: --squash: --reset-author --short --branch --porcelain --long -z --author: --date: -s/--signoff --no-signoff --trailer: -n/--no-verify --verify --allow-empty --allow-empty-message --cleanup: -e/--edit --no-edit --amend --no-post-rewrite -i/--include -o/--only -u? -v/--verbose -q/--quiet --dry-run --status --no-status -S?/--gpg-sign? --no-gpg-sign",
    special: [
      ["-F/--file:", "read"],
      ["-t/--template:", "read"],
      ["--pathspec-from-file:", "read"],
    ],
  },
  checkout: {
    plain:
      "-q/--quiet --progress -f/--force -2/--ours -3/--theirs -b: -B: -t/--track? --no-track --guess -l -d/--detach --orphan: --ignore-skip-worktree-bits -m/--merge --conflict: -p/--patch --ignore-other-worktrees --overlay --no-overlay --recurse-submodules?",
    special: [["--pathspec-from-file:", "read"]],
  },
  switch: {
    plain:
      "-c/--create: -C/--force-create: -d/--detach --guess -f/--force --discard-changes -m/--merge --conflict: -q/--quiet -t/--track? --no-track --orphan: --ignore-other-worktrees",
  },
  restore: {
    plain:
      "-s/--source: -p/--patch -W/--worktree -S/--staged -q/--quiet --ours --theirs -m/--merge --conflict: --ignore-unmerged --overlay --recurse-submodules",
    special: [["--pathspec-from-file:", "read"]],
  },
  reset: {
    plain: "--soft --mixed --hard --merge --keep -N -q/--quiet -p/--patch --no-refresh",
    special: [["--pathspec-from-file:", "read"]],
  },
  clean: { plain: "-d -f/--force -i/--interactive -n/--dry-run -q/--quiet -e/--exclude: -x -X", suggestedWords: 0 },
  merge: {
    plain:
      "--commit --no-commit -e/--edit --no-edit --ff --no-ff --ff-only -S?/--gpg-sign? --log? --signoff --stat -n --squash -s/--strategy: -X/--strategy-option: --verify-signatures -q/--quiet -v/--verbose --progress --autostash --allow-unrelated-histories -m: --abort --quit --continue --no-verify",
    special: [["-F/--file:", "read"]],
  },
  rebase: {
    plain:
      "--onto: --keep-base --continue --abort --quit --skip --edit-todo --show-current-patch -m/--merge -s/--strategy: -X/--strategy-option: --rerere-autoupdate -S?/--gpg-sign? -q/--quiet -v/--verbose --stat -n/--no-stat --no-verify --verify -C: --no-ff -f/--force-rebase --fork-point --ignore-date --ignore-whitespace --whitespace: --committer-date-is-author-date --signoff -i/--interactive -r?/--rebase-merges? -p --autosquash --no-autosquash --autostash --no-autostash --root --update-refs --empty: --keep-empty --reapply-cherry-picks",
    special: [["-x/--exec:", "script", runs]],
  },
  "cherry-pick": {
    plain:
      "-e/--edit -x -r -m/--mainline: -n/--no-commit -s/--signoff -S?/--gpg-sign? --ff --allow-empty --keep-redundant-commits --strategy: -X: --continue --skip --abort --quit",
  },
  revert: {
    plain:
      "-e/--edit --no-edit -m/--mainline: -n/--no-commit -s/--signoff -S?/--gpg-sign? --strategy: -X: --continue --skip --abort --quit --reference",
  },
  stash: {
    ...diff,
    plain: `${diffPlain} -k/--keep-index -u/--include-untracked -q/--quiet -m/--message: --only-untracked`,
    suggestedWords: 3,
  },
  tag: {
    plain:
      "-n? --contains? --no-contains? --points-at: --merged? --no-merged? --sort: --format: --color? -i/--ignore-case --column? --no-column",
    special: [
      ["-l/--list", "none"],
      ["-a/--annotate", "change"],
      ["-s/--sign", "change"],
      ["-u/--local-user:", "change"],
      ["-f/--force", "change"],
      ["-d/--delete", "change"],
      ["-v/--verify", "change"],
      ["-m/--message:", "change"],
      ["-F/--file:", "read"],
      ["-e/--edit", "change"],
      ["--cleanup:", "change"],
      ["--create-reflog", "change"],
    ],
    looks: true,
  },
  branch: {
    plain:
      "-r/--remotes -a/--all -v/--verbose -q/--quiet --sort: --format: --color? --no-color --column? --contains? --no-contains? --merged? --no-merged? --points-at: --abbrev? --show-current --ignore-case -i",
    special: [
      ["-l/--list", "none"],
      ["-d/--delete", "change"],
      ["-D", "change"],
      ["-m/--move", "change"],
      ["-M", "change"],
      ["-c/--copy", "change"],
      ["-C", "change"],
      ["-f/--force", "change"],
      ["-t/--track?", "change"],
      ["--no-track", "change"],
      ["-u/--set-upstream-to:", "change"],
      ["--unset-upstream", "change"],
      ["--edit-description", "change"],
      ["--create-reflog", "change"],
    ],
    looks: true,
  },
  push: {
    plain:
      "--all --branches --mirror --tags --follow-tags --atomic -n/--dry-run --receive-pack: --repo: -f/--force -d/--delete --prune -v/--verbose -u/--set-upstream -o/--push-option: --signed? --no-signed --force-with-lease? --no-force-with-lease --force-if-includes --no-verify --thin --no-thin -q/--quiet --progress --porcelain --recurse-submodules: -4 -6",
    special: [["--receive-pack/--exec:", "script", runs]],
    outward: "pushes commits to another machine",
  },
  pull: {
    plain:
      "-q/--quiet -v/--verbose --recurse-submodules? --commit --no-commit -e/--edit --no-edit --ff --no-ff --ff-only -r?/--rebase? --no-rebase --squash --no-squash -s/--strategy: -X: --autostash --no-autostash --allow-unrelated-histories --all -a/--append --depth: --unshallow -f/--force -t/--tags --no-tags -p/--prune -j/--jobs: --dry-run -n --stat",
    special: [["--upload-pack:", "script", runs]],
  },
  fetch: {
    plain:
      "--all -a/--append --atomic --depth: --deepen: --shallow-since: --unshallow --dry-run -f/--force -k/--keep -m/--multiple -p/--prune -P/--prune-tags -n/--no-tags -t/--tags --refmap: --recurse-submodules? -j/--jobs: --set-upstream -q/--quiet -v/--verbose --progress -o/--server-option: --filter: -4 -6",
    special: [["--upload-pack:", "script", runs]],
  },
  clone: {
    plain:
      "-l/--local --no-hardlinks -s/--shared --reference: --dissociate -q/--quiet -v/--verbose --progress -n/--no-checkout --bare --sparse --filter: --mirror -o/--origin: -b/--branch: --revision: --depth: --shallow-since: --shallow-exclude: --single-branch --no-single-branch --no-tags --tags --recurse-submodules? --recursive? --shallow-submodules --remote-submodules -j/--jobs: --server-option:",
    special: [
      ["-u/--upload-pack:", "script", runs],
      ["-c/--config:", "none"],
      ["--template:", "read", "installs hooks of a template"],
      ["--separate-git-dir:", "write", writes],
      ["--bundle-uri:", "none"],
    ],
  },
  init: {
    plain: "-q/--quiet --bare --object-format: --ref-format: -b/--initial-branch: --shared?",
    special: [
      ["--template:", "read", "installs hooks of a template"],
      ["--separate-git-dir:", "write", writes],
    ],
    operands: "write",
  },
  apply: {
    plain:
      "--stat --numstat --summary --check --index --cached -3/--3way --build-fake-ancestor: -R/--reverse --reject -z -p: -C: --unidiff-zero --apply --no-add --allow-binary-replacement --binary --exclude: --include: --ignore-space-change --ignore-whitespace --whitespace: --inaccurate-eof -v/--verbose -q/--quiet --recount --allow-overlap --intent-to-add",
    special: [
      ["--directory:", "write"],
      ["--unsafe-paths", "change", "writes outside of the work tree"],
    ],
    operands: "read",
  },
  am: {
    plain:
      "-s/--signoff -k/--keep -c/--scissors -q/--quiet -u/--utf8 -3/--3way --whitespace: -C: -p: --exclude: --include: --reject --patch-format: -i/--interactive --continue -r/--resolved --skip --abort --quit --show-current-patch? -S?/--gpg-sign? --no-verify",
    special: [["--directory:", "write"]],
    operands: "read",
  },
  rm: {
    plain: "-f/--force -n/--dry-run -r --cached --ignore-unmatch -q/--quiet --sparse",
    special: [["--pathspec-from-file:", "read"]],
    operands: "write",
    suggestedWords: 0,
  },
  mv: { plain: "-f/--force -k -n/--dry-run -v/--verbose --sparse", operands: "write" },
  worktree: {
    plain:
      "-f/--force -b: -B: -d/--detach -q/--quiet -n/--dry-run -v/--verbose -z --checkout --no-checkout --guess-remote --no-guess-remote --track --no-track --lock --reason: --orphan --porcelain --expire: --relative-paths",
    suggestedWords: 3,
  },
  remote: { plain: "-v/--verbose", suggestedWords: 3 },
  reflog: { ...log, suggestedWords: 3 },
  notes: { suggestedWords: 3 },
  gc: { plain: "--auto --aggressive --prune? --no-prune -q/--quiet --force --keep-largest-pack --cruft" },
  difftool: {
    plain: diffPlain,
    special: [
      ["-x/--extcmd:", "script", runs],
      ["-t/--tool:", "none", runs],
      ["-y/--no-prompt", "none"],
      ["-d/--dir-diff", "none"],
      ["-g/--gui", "none"],
      ["--tool-help", "none"],
    ],
    suggestedWords: 0,
  },
  mergetool: {
    special: [
      ["-t/--tool:", "none", runs],
      ["-y/--no-prompt", "none"],
      ["-O:", "read"],
    ],
    suggestedWords: 0,
  },
  "send-email": {
    special: [
      ["--to-cmd:", "script", runs],
      ["--cc-cmd:", "script", runs],
      ["--header-cmd:", "script", runs],
      ["--smtp-server:", "none"],
      ["--sendmail-cmd:", "script", runs],
    ],
    outward: "sends mail",
  },
  "request-pull": { looks: false },
  "fast-export": {
    special: [
      ["--export-marks:", "write", writes],
      ["--import-marks:", "read"],
    ],
  },
  "fast-import": {
    special: [
      ["--export-marks:", "write", writes],
      ["--export-pack-edges:", "write", writes],
      ["--import-marks:", "read"],
      ["--allow-unsafe-features", "none", writes],
    ],
  },
  daemon: { suggestedWords: 0 },
  instaweb: {
    special: [
      ["-d/--httpd:", "script", runs],
      ["-b/--browser:", "script", runs],
    ],
    suggestedWords: 0,
  },
  "upload-pack": { suggestedWords: 0 },
  "send-pack": { special: [["--receive-pack/--exec:", "script", runs]], suggestedWords: 0 },
  shell: { special: [["-c:", "script", runs]], suggestedWords: 0 },
  "remote-ext": { suggestedWords: 0 },
  "sparse-checkout": { suggestedWords: 3 },
  "update-index": {},
  "update-ref": {},
  "write-tree": {},
  maintenance: { suggestedWords: 3 },
  "hash-object": {
    plain: "-t: --stdin --stdin-paths --path: --no-filters --literally",
    special: [["-w", "change"]],
    operands: "read",
    looks: true,
  },
};
