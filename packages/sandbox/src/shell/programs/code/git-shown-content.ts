/** Which sub-commands of git show what is in files that they do not name, and which show names alone. */
import type { ShownContent } from "@kedge/protocol";
import { hasOption, type ReadWords } from "../read-options.ts";

/** Changes of content, in any form. */
const patchOptions = [
  ...["-p", "-u", "--patch", "-U", "--unified", "-W", "--function-context", "-L", "--word-diff", "--word-diff-regex"],
  ...["--color-words", "--cc", "-c", "--dd", "-m", "--binary", "--patch-with-raw", "--patch-with-stat"],
  ...["--remerge-diff", "--diff-merges", "--ext-diff", "--textconv", "--output", "--check"],
];

/** Instead of changes only which files have some. */
const summaryOptions = [
  ...["--stat", "--numstat", "--shortstat", "--name-only", "--name-status", "--summary", "--raw", "--dirstat"],
  ...["--compact-summary", "--quiet", "-s", "--no-patch"],
];

const alwaysContent: ReadonlySet<string> = new Set(
  "annotate archive blame bundle difftool fast-export format-patch grep merge-tree range-diff unpack-file".split(" "),
);
const differences: ReadonlySet<string> = new Set("diff diff-files diff-index diff-tree show whatchanged".split(" "));
const listings: ReadonlySet<string> = new Set("log reflog rev-list shortlog".split(" "));
const namesAlone: ReadonlySet<string> = new Set(
  "branch check-ignore count-objects describe for-each-ref ls-files ls-tree merge-base name-rev remote rev-parse show-ref status symbolic-ref tag version worktree".split(
    " ",
  ),
);

export function gitShownContent(name: string, read: ReadWords): ShownContent | undefined {
  const isSure = read.untrusted.length === 0 && read.options.every(({ rule }) => rule !== undefined);
  const hasPatch = !isSure || hasOption(read, ...patchOptions);
  if (alwaysContent.has(name)) return "history";
  if (listings.has(name)) return hasPatch ? "history" : "names";
  if (differences.has(name)) {
    const isObject = read.operands.some((word) => !word.isLiteral || word.text.includes(":"));
    return hasPatch || isObject || !hasOption(read, ...summaryOptions) ? "history" : "names";
  }
  if (name === "cat-file") return isSure && hasOption(read, "-t", "-s", "-e") ? "names" : "history";
  if (name === "stash") return stashShownContent(read, hasPatch);
  if (name === "status") return isSure && !hasOption(read, "-v", "--verbose") ? "names" : "history";
  if (name === "config") return hasOption(read, "--blob") ? "history" : undefined;
  if (namesAlone.has(name)) return "names";
  return hasOption(read, "-p", "--patch", "-v", "--verbose", "--show-current-patch") ? "history" : undefined;
}

/** With files that git does not know it takes in what rules may close, and shows it later. */
function stashShownContent(read: ReadWords, hasPatch: boolean): ShownContent | undefined {
  const action = read.operands[0]?.text;
  if (action === "list") return hasPatch ? "history" : "names";
  if (action === "show") return "history";
  if (hasOption(read, "-u", "--include-untracked", "-a", "--all", "--only-untracked")) return "files";
  return hasPatch ? "history" : undefined;
}
