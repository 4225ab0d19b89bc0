/** A real server on a machine that is short of something, and how to work on it from outside. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createClient } from "@kedge/sdk";
import { onTestFinished } from "vitest";
import { entry } from "../crash/crash-bench.ts";
import type { Workbench } from "../workbench.ts";

export type ScarceServer = {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly client: ReturnType<typeof createClient>;
  /** What it has printed as errors so far. */
  readonly complaint: () => string;
};

export type ScarceOptions = {
  readonly argv?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
};

/** `around` is a line of shell that ends in starting `"$@"`. Ended with the test. */
export async function serve(bench: Workbench, around: string, options: ScarceOptions = {}): Promise<ScarceServer> {
  const { argv = [], environment = {} } = options;
  const words = ["-c", around, "sh", process.execPath, entry, "serve", "--json", "--port", "0", ...argv];
  const child = spawn("sh", words, {
    cwd: bench.project,
    env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, ...environment },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    complaint += bytes.toString();
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${complaint}`)));
  });
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  return { url, token, child, client: createClient({ url, token }), complaint: () => complaint };
}

export async function newSession({ client }: ScarceServer): Promise<string> {
  const created = await client.send<"session.create">({ type: "session.create" });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value.sessionId;
}

export function prompt({ client }: ScarceServer, sessionId: string, text = "go") {
  return client.send<"prompt.submit">({
    ...{ type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} },
  });
}

/** What the calls of the session gave, as soon as its run is over. */
export async function outputs({ client }: ScarceServer, sessionId: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const event of client.events(sessionId, 0, AbortSignal.timeout(60_000))) {
    if (event.kind !== "fact") continue;
    if (event.record.fact.type === "tool.ended") found.push(event.record.fact.output);
    if (event.record.fact.type === "run.ended") return found;
  }
  return found;
}
