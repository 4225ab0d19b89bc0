/** The variables that bash sets or reads by itself, whose values do not stay what a text made them. */

const names: ReadonlySet<string> = new Set(
  `_ BASH BASHPID COLUMNS COMPREPLY COPROC DIRSTACK EMACS EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME FUNCNEST GLOBSORT GROUPS
  HISTCMD HISTCONTROL HISTFILESIZE HISTIGNORE HISTSIZE HISTTIMEFORMAT HOSTFILE HOSTNAME HOSTTYPE IGNOREEOF INSIDE_EMACS LINENO LINES
  MACHTYPE MAIL MAILCHECK MAILPATH MAPFILE OPTARG OPTERR OPTIND OSTYPE PIPESTATUS PPID RANDOM REPLY SECONDS SHLVL SRANDOM TMOUT UID
  auto_resume histchars`
    .trim()
    .split(/\s+/),
);

const prefixes: readonly string[] = ["COMP_", "COPROC_", "LC_", "PROMPT_", "READLINE_"];

/** Bash declares these as integers, so that it evaluates as arithmetic what they are set to, in whichever way. */
const integers: ReadonlySet<string> = new Set(
  `BASHPID COMP_CWORD COMP_KEY COMP_POINT COMP_TYPE EPOCHSECONDS EUID HISTCMD LINENO OPTIND PPID RANDOM SECONDS SRANDOM UID`.split(
    " ",
  ),
);

export function isShellInteger(name: string): boolean {
  return integers.has(name);
}

export function isShellOwned(name: string): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
