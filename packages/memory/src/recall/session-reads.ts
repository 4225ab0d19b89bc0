/** What a session did lately that recall should not repeat. */
import { basename, dirname, resolve } from "node:path";
import { isJsonObject, parseCallInput, type SessionState, type ToolCallBlock, toolCalls } from "@kedge/protocol";

export type SessionReads = {
  /** Topic files that a tool read or wrote. */
  readonly files: ReadonlySet<string>;
  readonly recentTools: readonly string[];
};

const recentCallsMax = 20;

export function sessionReads({ items }: Pick<SessionState, "items">, directory: string, cwd: string): SessionReads {
  const calls = items.flatMap((item) => (item.type === "answer" ? toolCalls(item.content) : []));
  const files = calls.flatMap((call) => {
    const path = pathOf(call, cwd);
    return path !== undefined && dirname(path) === directory ? [basename(path)] : [];
  });
  return {
    files: new Set(files),
    recentTools: [...new Set(calls.slice(-recentCallsMax).map(({ tool }) => tool))],
  };
}

function pathOf({ inputText }: ToolCallBlock, cwd: string): string | undefined {
  const input = parseCallInput(inputText);
  const path = isJsonObject(input) ? input["filePath"] : undefined;
  return typeof path === "string" ? resolve(cwd, path) : undefined;
}
