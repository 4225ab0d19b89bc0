/** Names that mean a certain program to every reader, so that a function must not take them over. */

const known: ReadonlySet<string> = new Set(
  `. : [ alias awk basename bash bg bind break brew builtin bun caller cargo cat cd chmod chown clear cmp column command comm compgen complete compopt continue cp curl cut date dd declare deno df
  diff dig dirname dirs disown docker du echo egrep enable env eval exec exit expand export expr false fc fd fg fgrep file find fmt fold gawk getopts gh git go grep groups gunzip gzip hash head help
  history host hostname id install java jobs jq kill kubectl less let ln local logout ls make man mapfile mkdir mktemp more mv nano nl node nohup npm npx nproc nslookup od paste patch perl php pip pip3 pnpm
  popd printf ps pushd pwd python python3 read readarray readlink readonly realpath return rev rg rm rmdir rsync ruby rustc scp sed seq set sh sha256sum shift shopt sleep sort source split ssh stat strings su sudo
  suspend tail tar tee test time timeout times top touch tr trap tree true truncate tsc tty type typeset ulimit umask unalias uname uniq unset unzip uptime vi vim wait watch wc wget which whoami xargs yarn yes zcat zip zsh`
    .trim()
    .split(/\s+/),
);

export function isKnownName(name: string): boolean {
  return known.has(name);
}

const placeless: ReadonlySet<string> = new Set(
  ". : [ alias break cd command continue declare dirs echo eval exec exit export false local popd printf pushd pwd readonly return set shift sleep test time times trap true type typeset umask unset wait".split(
    " ",
  ),
);

/** It does nothing to the directory it runs in, besides what its arguments name. */
export function isPlaceless(name: string): boolean {
  return placeless.has(name);
}

const contentless: ReadonlySet<string> = new Set(
  "b2sum cksum cp du fd fdfind file find ln ls md5sum mv readlink realpath rm sha1sum sha224sum sha256sum sha384sum sha512sum stat sum tree wc".split(
    " ",
  ),
);

/** Nothing of what is in the files that it names comes out of it. */
export function showsNoContent(name: string): boolean {
  return contentless.has(name);
}
