/** A workbench whose project and user have custom tools and plugins. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockScript, MockTurn } from "@kedge/testing";
import { openWorkbench, type Workbench } from "../workbench.ts";

export type CodeSite = Workbench & {
  /** Below the project. */
  write(path: string, text: string): void;
  /** Below kedge's own directory. */
  writeHome(path: string, text: string): void;
  /** Below the project; undefined where nobody wrote it. */
  read(path: string): string | undefined;
  /** The text of the last request. */
  lastRequest(): string;
  /** Descriptions of tools in the first request. */
  tools(): ReadonlyMap<string, string>;
};

export async function openCodeSite(script: MockScript, settings: object = {}): Promise<CodeSite> {
  const bench = await openWorkbench(script, { ...settings });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return {
    ...bench,
    write: (path, text) => put(join(bench.project, path), text),
    writeHome: (path, text) => put(join(bench.home, path), text),
    read(path) {
      const whole = join(bench.project, path);
      return existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
    },
    lastRequest: () => JSON.stringify(bench.model.requests.at(-1)?.body),
    tools() {
      const body = bench.model.requests[0]?.body as {
        readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[];
      };
      return new Map(body?.tools?.map(({ function: { name, description } }) => [name, description]));
    },
  };
}

export const calls = (name: string, input: object = {}): MockTurn => ({ toolCalls: [{ name, input }] });
