/** Random commands of which a word expands: names of files, variables and output that could be any option. */
import type { SeededRandom } from "@kedge/testing";

/** Options and operands that make a program act, as names of files and as values of variables. */
export const hostileNames: readonly string[] = [
  "--pre=canary.sh",
  "--hostname-bin=canary.sh",
  "-ocanary",
  "--output=canary",
  "--compress-program=canary.sh",
  "-S1",
  "-exec",
  "-delete",
  "-fprint",
  "-es,a,a,;wcanary",
  "--expression=1ecanary.sh",
  "--in-place",
  "-i",
  "-n",
  "-C",
  "-R",
  "-L",
  "1",
  "-f",
  "-v",
  "-TTsh canary.sh",
  "--checkpoint=1",
  "--checkpoint-action=exec=sh canary.sh",
  "-Icanary.sh",
  "--use-compress-program=.canary",
  "-x",
  "-X",
  "sh",
  "canary.sh",
  "@canary",
  "--html=.canary",
  "--pager=.canary",
  "-P.canary",
  "--ext-diff",
  "--no-index",
  "--open-files-in-pager=.canary",
  "-O.canary",
  "-p",
  "-e",
  "--filter=.canary",
  "a b --pre=canary.sh",
  "c.ts",
  "d.md",
  "e.txt",
];

/** Programs that act with some option or operand, and what stands before the word that expands. */
const acting: readonly string[] = [
  "rg foo",
  "rg -n foo",
  "rg --files",
  "sort",
  "sort -n",
  "sort -k 2",
  "shuf",
  "uniq",
  "uniq -c",
  "xxd",
  "sed -n 1p",
  "sed -n -e 1p",
  "find",
  "find .",
  "fd foo",
  "fd -e ts foo",
  "tree",
  "tree -L 2",
  "file",
  "file -b",
  "man",
  "date",
  "iconv -f utf8",
  "diff3 a b",
  "sdiff a",
  "tar tf",
  "tar -t -f a.tar",
  "git log",
  "git log --oneline",
  "git show",
  "git diff",
  "git diff HEAD",
  "git grep foo",
  "git blame",
  "git archive HEAD",
  "git branch --list",
  "git tag -l",
  "git config",
  "git config --get",
  "nm",
  "objdump -d",
  "yq .",
  "xmllint --noout",
  "getconf",
  "bat",
  "ag foo",
  "nice",
  "timeout",
  "env",
  "lsof",
  "ss -t",
  "hostname",
  "unzip -l",
];

/** Words that may begin with anything, with what has to stand before the command. */
const anything: readonly (readonly [before: string, word: string])[] = [
  ["", "*"],
  ["", "?*"],
  ["", "[!a]*"],
  ["", "-*"],
  ["", "$x"],
  ["", '"$x"'],
  ["", "${x}"],
  ["", '"${x:-a}"'],
  ["", '"$@"'],
  ["", "$*"],
  ["", '"${a[@]}"'],
  ["", "$(cat list)"],
  ["", '"$(cat list)"'],
  ["", "`cat list`"],
  ["", "a$x"],
  ["", "{a,$x}"],
  ["x=$(cat list); ", "$x"],
  ['x="$y"; ', '"$x"'],
  ["read x < list; ", "$x"],
  ["x=a; x+=$y; ", "$x"],
];

/** There one word stays a value, and only what may be several is more. */
const valued: readonly string[] = ["find . -name", "find . -type f -newer", "rg -e foo -A", "sort -k", "sort -t , -k"];
/** Of what follows the sign, several words may come. */
const attached: readonly string[] = [
  "git log --since=",
  "git log --format=",
  "git log -S",
  "git diff --stat=",
  "rg foo --glob=",
  "rg foo -g",
  "sort --key=",
  "sort -k",
  "shuf --head-count=",
  "tree -P",
  "fd foo --type=",
  "tar tf a.tar --exclude=",
  "date --date=",
  "ls --color=",
  "grep foo --include=",
  "head -n",
];
const several: readonly string[] = ["*", "?*", "$x", "${x}", "$*", '"$@"', "$(cat list)", "`cat list`", "a$x"];

export function createWordCommands(random: SeededRandom) {
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const around = (command: string): string =>
    pick([command, command, command, `ls; ${command}`, `${command} | head -3`, `( ${command} )`, `cd . && ${command}`]);
  return {
    /** May write, run or load: never free. */
    acting(): string {
      if (random.below(8) === 0) return around(`${pick(valued)} ${pick(several)}`);
      if (random.below(8) === 0)
        return around(`${pick(attached)}${pick(["$x", "a$x", "$(cat list)", "`cat list`"])} a`);
      const [before, word] = pick(anything);
      const program = pick(acting);
      if (random.below(6) === 0) {
        const list = pick(["*", "?*", "[-a]*"]);
        return around(`for f in ${list}; do ${program} ${pick(['"$f"', "$f"])}; done`);
      }
      const tail = pick(["", "", " b.txt", " -- b.txt"]);
      return `${before}${around(`${program} ${word}${tail}`)}`;
    },
    /** Cannot become an option, or only one of a program whose options are all harmless: free. */
    harmless(): string {
      const safe = pick(["./*", "src/*", "src/*.ts", "./*.md", "a*", "c.t?", "src/[a-c]*"]);
      return around(
        pick([
          `${pick(["ls", "ls -la", "wc -l", "cat", "head -5", "tail -n 3", "grep foo", "grep -rn foo", "stat", "du -sh", "md5sum", "nl", "cut -f1", "od -c", "echo", "base64"])} ${pick(["*", "*.md", "?*", safe])}`,
          `${pick(["rg foo", "sort", "sort -n", "sed -n 1p", "tree -L 1", "file", "shuf", "git log --oneline --", "git diff HEAD --", "jq ."])} ${safe}`,
          `${pick(["rg foo", "sort", "shuf", "sed -n 1p", "git diff HEAD", "git log"])} -- ${pick(["*", "*.ts", safe])}`,
          `for f in ${pick(["*", safe])}; do ${pick(["cat", "wc -l", "echo", "grep -c foo"])} "$f"; done`,
          `for f in ${safe}; do ${pick(["sort", "rg foo", "sed -n 1p"])} "$f"; done`,
          `ls && x=c.ts && ${pick(["sort", "rg foo", "sed -n 1p", "git log"])} ${pick(["$x", '"$x"'])}`,
          `${pick(["echo", "basename", "dirname"])} ${pick(['"$x"', "$x"])}`,
          `find . -name ${pick(["*.ts", "'*.md'", "c.t?"])}`,
        ]),
      );
    },
  };
}
