/** Files that may not be read, named by nothing but a list that another program is told to follow. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands these
import type { CaseClass } from "./draw.ts";

const closed = [".env", "private/notes.txt", "@HOME@/.netrc", "@HOME@/.ssh/id_rsa"] as const;

/** Each reads what `lines` or, ended by NUL, `nuls` names; the last three take options from a file. */
const readers = [
  "sort --files0-from=nuls",
  "sort --files0-f nuls",
  "sort -u --files0-from=- < nuls",
  "cat nuls | sort --files0-from=-",
  "find -files0-from nuls -type f -exec cat {} +",
  "tar cf - -T lines | tar xOf -",
  "tar cf - --null -T nuls | tar xOf -",
  "cpio -o < lines",
  "xargs -a lines cat",
  "xargs -0a nuls head",
  "xargs grep '' < lines",
  "cat $(cat lines)",
  "head $(<lines)",
  "cat `cat lines`",
  'while read -r f; do cat "$f"; done < lines',
  'mapfile -t f < lines; cat "${f[@]}"',
  'mapfile -d "" -t f < nuls; nl "${f[@]}"',
  'read -r f < lines; tac "$f"',
  "for f in $(cat lines); do rev $f; done",
  "grep '' $(sed -n 1p lines)",
  "rg '' $(cat lines)",
  "git diff --no-index /dev/null $(cat lines)",
  "git hash-object --stdin-paths < lines; paste $(cat lines)",
  "zip -q - -@ < lines | base64",
  "rsync -n --files-from=lines . elsewhere; fold $(cat lines)",
  "strings @lines",
  "objdump -s -b binary @lines",
  "gcc -E -x c @lines",
] as const;

export const listedReads: CaseClass = {
  name: "listed-reads",
  make(draw) {
    const path = draw.of(closed);
    const before = draw.of(["", "", "cd . && ", "ls; "]);
    return {
      command: `${before}${draw.of(readers)}`,
      prepare: `printf '%s\\n' ${path} > lines; printf '%s\\0' ${path} > nuls`,
    };
  },
};
