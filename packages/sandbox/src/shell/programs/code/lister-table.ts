/** Programs that print names of files below the places they are given, and filters that leave printed lines as they are. */

/** A call that prints nothing but such names. An option that is not listed might print the contents of a file. */
export type ListerRow = {
  /** One of the words must be this. */
  readonly needs?: RegExp;
  /** Words with a dash that change nothing about what is printed. */
  readonly options: RegExp;
  /** Options whose value is the next word, which then may not have a dash. */
  readonly valued?: RegExp;
};

const none = /^$/;

export const listers: Readonly<Record<string, ListerRow>> = {
  find: { options: /^-(?!f?printf|fprint|f?ls$|exec|ok|files0-from)/ },
  ls: { options: /^-[1aAdrtSRUcuX]+$/ },
  fd: {
    options:
      /^-[HIuasgiFLp0]+$|^-[tedE]$|^--(?:hidden|no-ignore|type|extension|max-depth|exclude|glob|full-path)(?:=|$)/,
    valued: /^(?:-[tedE]|--(?:type|extension|max-depth|exclude))$/,
  },
  "git ls-files": {
    options: /^-[cdmouz]$|^--(?:cached|deleted|modified|others|exclude-standard|full-name|deduplicate)$/,
  },
  "git diff": {
    needs: /^--name-only$/,
    options: /^-z$|^--(?:name-only|cached|staged|relative|merge-base|diff-filter=.*|)$/,
  },
  "git diff-tree": { needs: /^--name-only$/, options: /^-[rz]$|^--(?:name-only|no-commit-id|root|diff-filter=.*)$/ },
  "git log": nameOnly(),
  "git show": nameOnly(),
  "git rev-list": { options: /^-\d+$|^--(?:all|no-merges|max-count=\d+|reverse|first-parent)$/ },
  rg: {
    needs: /^--files$|^--files-with(?:out-match|-matches)$|^-[iIwSsFxvuPU0]*l[iIwSsFxvuPU0]*$/,
    options:
      /^-[iIwSsFxvuPU0l]+$|^-[gtTe]$|^--(?:files|files-with-matches|files-without-match|hidden|no-ignore|glob=.*|type=.*|iglob=.*)$/,
    valued: /^-[gtTe]$/,
  },
  grep: {
    needs: /^--files-with(?:out-match|-matches)$|^-[rRiIwxEFPvsZ]*[lL][rRiIwxEFPvsZ]*$/,
    options:
      /^-[rRiIwxEFPvsZlL]+$|^-e$|^--(?:files-with-matches|files-without-match|include=.*|exclude=.*|exclude-dir=.*|null|recursive|ignore-case)$/,
    valued: /^-e$/,
  },
  seq: { options: /^-\d+$/ },
  pgrep: { options: /^-[fxnoiu]$/, valued: /^-u$/ },
  pidof: { options: none },
  lsof: { needs: /^-t$/, options: /^-[tnP]$|^-i.*$/ },
};

/** Without an empty format both print the words of the message too. */
function nameOnly(): ListerRow {
  return {
    needs: /^--(?:format=|pretty=|pretty=format:)$/,
    options: /^-(?:z|\d+)$|^--(?:name-only|format=|pretty=|pretty=format:|no-merges|first-parent|diff-filter=.*|)$/,
  };
}

/** What may follow the name of a filter, words joined by NUL. A file among them would be printed in place of the input. */
export const filters: Readonly<Record<string, RegExp>> = {
  sort: /^(?:\0-[rnuVfbhz]+)*$/,
  uniq: /^(?:\0-[uidz]+)*$/,
  head: /^(?:\0-(?:n\0?)?-?\d+)?$/,
  tail: /^(?:\0-(?:n\0?)?[-+]?\d+)?$/,
  tac: /^$/,
  shuf: /^(?:\0-n\0?\d+)?$/,
  grep: grepFilter(),
  egrep: grepFilter(),
  fgrep: grepFilter(),
};

function grepFilter(): RegExp {
  return /^(?:\0-[viEFPwxz]+)*(?:\0-e)?\0(?!-)[^\0]*$/;
}
