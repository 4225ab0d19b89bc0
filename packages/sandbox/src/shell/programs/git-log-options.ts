/** Options that the sub-commands of git which show commits and differences share. */
import type { OptionTable } from "./option-set.ts";
import type { ProgramRow } from "./ordinary-program.ts";

const writes = "writes a file";

export const diffPlain =
  "-p/-u/--patch -s/--no-patch -U/--unified: -W/--function-context --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat -z --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws: --word-diff? --word-diff-regex: --color-words? --no-renames --rename-empty --check --ws-error-highlight: --full-index --binary --abbrev? -B?/--break-rewrites? -M?/--find-renames? -C?/--find-copies? --find-copies-harder -D/--irreversible-delete -l: --diff-filter: -S: -G: --find-object: --pickaxe-all --pickaxe-regex -R -a/--text --relative? --no-relative -a --ignore-cr-at-eol --ignore-space-at-eol -b/--ignore-space-change -w/--ignore-all-space --ignore-blank-lines -I/--ignore-matching-lines: --inter-hunk-context: --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index --cached --staged --merge-base -1 -2 -3 --base --ours --theirs -c --cc --combined-all-paths -m --diff-merges: --no-diff-merges --remerge-diff -t -r --root --skip-to: --rotate-to: --stat-width: --stat-name-width: --stat-count: --stat-graph-width:";
const diffSpecial: OptionTable["special"] = [
  ["--output:", "write", writes],
  ["--output-indicator-new:", "none"],
  ["--output-indicator-old:", "none"],
  ["--output-indicator-context:", "none"],
  ["--ext-diff", "none", "runs an outside diff program"],
  ["--textconv", "none", "runs a conversion program"],
  ["-O:", "read"],
  ["--no-index", "none"],
];
export const logPlain = `${diffPlain} --oneline --graph --no-graph --all --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: --clear-decorations --source --mailmap --no-mailmap --full-diff --log-size -L: -n/--max-count: --skip: --since: --after: --until: --before: --since-as-filter: --author: --committer: --grep-reflog: --grep: --all-match --invert-grep -i/--regexp-ignore-case --basic-regexp -E/--extended-regexp -F/--fixed-strings -P/--perl-regexp --merges --no-merges --min-parents: --max-parents: --first-parent --exclude-first-parent-only --not --branches? --tags? --remotes? --glob: --exclude: --exclude-hidden: --reflog --alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry -g/--walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --do-walk --no-walk? --pretty? --format: --abbrev-commit --no-abbrev-commit --encoding: --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --show-linear-break? --relative-date --date: --parents --children --left-right --follow --no-follow --count --objects --timestamp --no-commit-header --no-object-names -q --disk-usage? --filter: --in-commit-order`;
export const logRow: ProgramRow = {
  plain: logPlain,
  special: [...(diffSpecial ?? []), ["--show-signature", "none", "runs the signature program"]],
  looks: true,
  takesNumbers: true,
};
export const diffRow: ProgramRow = { plain: diffPlain, special: diffSpecial ?? [], looks: true, takesNumbers: true };
