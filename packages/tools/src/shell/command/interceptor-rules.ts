/** Which shell commands have a better tool, unless the user has rules of his own. */

export type InterceptorRule = {
  /** A regular expression for one simple command. */
  readonly pattern: string;
  /** The rule counts only while this tool is offered. */
  readonly tool: string;
  /** Why, in words for the model. */
  readonly message: string;
};

const editsInPlace = "^(?:sed|perl|ruby)\\s+(?:\\S+\\s+)*-\\w*i|^(?:ed|ex)\\s";
const writesFile = "^(?:echo|printf|cat)\\b(?:[^'\">]|'[^']*'|\"[^\"]*\")*>>?\\s*(?![&>]|\\s|/dev/)|^tee\\s.*<<";

export const usualInterceptorRules: readonly InterceptorRule[] = [
  {
    pattern: "^(?:cat|head|tail|less|more|bat|nl)(?:\\s+-(?!\\w*[fF])\\S+(?:\\s+\\d+)?)*\\s+(?!-)[^\\s<>|*?$]+$",
    tool: "read",
    message: "look at files with read",
  },
  { pattern: "^(?:grep|egrep|fgrep|rg|ag|ack)\\b", tool: "grep", message: "search in files with grep" },
  { pattern: "^(?:find|fd|fdfind|locate)\\b", tool: "glob", message: "find files with glob" },
  { pattern: editsInPlace, tool: "edit", message: "change files with edit" },
  { pattern: editsInPlace, tool: "edit_lines", message: "change files with edit_lines" },
  { pattern: editsInPlace, tool: "apply_patch", message: "change files with apply_patch" },
  { pattern: writesFile, tool: "write", message: "write files with write" },
  { pattern: writesFile, tool: "apply_patch", message: "write files with apply_patch" },
];
