/** Turns shell commands away for which there is a better tool, if the user wants that. */
import { findOperators } from "./scan-command.ts";

export type InterceptorRule = { readonly pattern: string; readonly tool: string; readonly message: string };

export type InterceptorOptions = {
  /** The usual rules if left out. */
  readonly rules?: readonly InterceptorRule[];
  /** A rule counts only while its tool is among these. */
  readonly toolNames: () => readonly string[];
  /** Told once of each pattern that is no regular expression; the rule is left out. */
  readonly onInvalidPattern: (pattern: string) => void;
};

export const usualInterceptorRules: readonly InterceptorRule[] = [
  { pattern: "^(?:cat|head|tail|less|more|bat)\\s+[^<>|-]\\S*$", tool: "read", message: "look at files with read" },
  { pattern: "^(?:grep|egrep|fgrep|rg|ag|ack)\\b", tool: "grep", message: "search in files with grep" },
  { pattern: "^(?:find|fd|locate)\\b", tool: "glob", message: "find files with glob" },
  { pattern: "^(?:sed|perl|ruby)\\s+(?:\\S+\\s+)*-\\w*i", tool: "edit", message: "change files with edit" },
  { pattern: "^(?:echo|printf|cat)\\b.*(?:>|<<)\\s*[^&\\s]", tool: "write", message: "write files with write" },
];

/** Gives a function that says why a command is turned away, or undefined. */
export function createInterceptor(options: InterceptorOptions): (command: string) => string | undefined {
  const rules = (options.rules ?? usualInterceptorRules).flatMap((rule) => {
    const pattern = compile(rule.pattern);
    if (pattern === undefined) options.onInvalidPattern(rule.pattern);
    return pattern === undefined ? [] : [{ ...rule, pattern }];
  });
  return (command) => {
    const names = options.toolNames();
    for (const part of commandsOf(command)) {
      const rule = rules.find(({ pattern, tool }) => names.includes(tool) && pattern.test(part));
      if (rule !== undefined) return `Blocked: ${rule.message}. The command was: ${part}`;
    }
    return undefined;
  };
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "s");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What reads from a pipe is no use of a file, so only the first command of a pipeline counts. */
function commandsOf(command: string): readonly string[] {
  const operators = findOperators(command);
  if (operators === undefined) return [command.trim()];
  const commands = [command.slice(0, operators[0]?.start)];
  for (const [index, { operator, end }] of operators.entries()) {
    if (operator !== "|" && operator !== "|&") commands.push(command.slice(end, operators[index + 1]?.start));
  }
  return commands.map((part) => part.trim()).filter((part) => part !== "");
}
