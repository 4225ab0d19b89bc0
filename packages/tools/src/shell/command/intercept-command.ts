/** Turns shell commands away for which there is a better tool, if the user wants that. */
import { type InterceptorRule, usualInterceptorRules } from "./interceptor-rules.ts";
import { plainCommands } from "./plain-commands.ts";

export type InterceptorOptions = {
  /** The usual rules if left out. */
  readonly rules?: readonly InterceptorRule[];
  /** Whether the model can call this tool now. */
  readonly isOffered: (tool: string) => boolean;
};

export type Interceptor = {
  /** Why a command is turned away, for the model; undefined when it may run. */
  refuse(command: string): string | undefined;
  /** One sentence for each rule that was left out, because its pattern is none; to be told once. */
  problems(): readonly string[];
};

export function createInterceptor(options: InterceptorOptions): Interceptor {
  const problems: string[] = [];
  const rules = (options.rules ?? usualInterceptorRules).flatMap((rule) => {
    const pattern = compile(rule.pattern);
    if (typeof pattern !== "string") return [{ ...rule, pattern }];
    problems.push(`bash.interceptor.rules: ${pattern}. The rule for ${rule.tool} is left out.`);
    return [];
  });
  return {
    refuse(command) {
      for (const { text, readsPipe } of plainCommands(command)) {
        // What reads from a pipe looks at no file, so no tool for files could do its work.
        if (readsPipe) continue;
        const rule = rules.find(({ pattern, tool }) => options.isOffered(tool) && pattern.test(text));
        if (rule !== undefined) return `Blocked: ${rule.message}. The command was: ${text}`;
      }
      return undefined;
    },
    problems: () => problems,
  };
}

/** The message of the engine when it is no pattern. */
function compile(pattern: string): RegExp | string {
  try {
    return new RegExp(pattern, "s");
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}
