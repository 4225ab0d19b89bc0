/** A folder with code of others and everything that it is given, for tests that start real processes. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import {
  type CodeGroup,
  type CodeParts,
  createPendingActions,
  type LoadedCode,
  loadCode,
} from "../../src/code/index.ts";
import { findCodeFiles, withImports } from "../../src/tools/index.ts";

export type CodeBed = {
  readonly root: string;
  readonly notices: string[];
  /** Texts that were kept about files, by key. */
  readonly kept: Map<string, string>;
  write(path: string, text: string): string;
  /** As those of a project, with the digests of what lies there. */
  load(folder: string, version?: string): Promise<LoadedCode>;
  loadGroup(group: CodeGroup): Promise<LoadedCode>;
  close(): Promise<void>;
};

export function openCodeBed(limits: CodeParts["limits"] = {}): CodeBed {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-code-")));
  const notices: string[] = [];
  const kept = new Map<string, string>();
  const loaded: LoadedCode[] = [];
  const digest = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
  const parts: CodeParts = {
    place: { cwd: root, root, projectId: "project", hasUI: false },
    zodUrl: pathToFileURL(
      createRequire(import.meta.url)
        .resolve("zod")
        .replace(/index\.cjs$/, "index.js"),
    ).href,
    environment: () => ({ PATH: process.env["PATH"] ?? "", SHOWN: "yes" }),
    shownPath: (path) => path.replace(`${root}/`, ""),
    definitions: { read: (key) => kept.get(key), write: (key, text) => void kept.set(key, text) },
    digest,
    programVersion: "test",
    session: () => ({ model: "mock/model", mode: "default", hasQueuedMessages: false }),
    wish: async (_, name) => (name === "history" ? [{ role: "user", text: "hello" }] : undefined),
    neutralise: (text) => text,
    readPlan: (answer) => ({
      ok: true,
      sections: Object.entries(answer).map(([heading, text]) => ({ heading, text: String(text) })),
    }),
    onNotice: (sentence) => void notices.push(sentence),
    limits,
  };
  const loadGroup = async (group: CodeGroup) => {
    const code = await loadCode(group, parts, createPendingActions());
    loaded.push(code);
    return code;
  };
  return {
    root,
    notices,
    kept,
    write(path, text) {
      const whole = join(root, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
      return whole;
    },
    load(folder, version = "1") {
      const { code: files } = findCodeFiles(join(root, folder), root);
      const digests = new Map(withImports(files, root).map((path) => [path, digest(readFileSync(path))]));
      return loadGroup({ files, owner: { kind: "project", root }, digests, version, capabilities: "all" });
    },
    loadGroup,
    async close() {
      await Promise.all(loaded.map((code) => code.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export function toolsOf({ toolSource }: LoadedCode): ReadonlyMap<string, Tool> {
  return new Map(
    toolSource
      .open({ sessionId: "ses_1" })
      .tools()
      .map((tool) => [tool.name, tool]),
  );
}

type CallOptions = { readonly signal?: AbortSignal; readonly progress?: string[] };

/** Parses and runs, as the pipeline does between many other things. */
export async function call(
  code: LoadedCode,
  name: string,
  input: unknown,
  { signal = new AbortController().signal, progress = [] }: CallOptions = {},
): Promise<ToolOutput | string> {
  const tool = toolsOf(code).get(name);
  if (tool === undefined) return `there is no ${name}`;
  const parsed = tool.parse(input);
  if (!parsed.ok) return parsed.report;
  const sink = { write: (text: string) => void progress.push(text) };
  // The members that tools of code use.
  const context = { callId: "call_1", signal, sink, dialogue: { ask: async () => undefined } };
  return tool.run(parsed.input, context as unknown as ToolContext);
}
