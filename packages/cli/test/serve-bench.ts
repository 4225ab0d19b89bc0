/** A server in a process of its own, and its address. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createClient } from "@kedge/sdk";
import { type Ended, ended, type Workbench } from "./workbench.ts";

export type ServerProcess = {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly client: ReturnType<typeof createClient>;
  /** As a system would end it. */
  stop(): Promise<Ended>;
};

export async function startServerProcess(bench: Workbench, argv: readonly string[] = []): Promise<ServerProcess> {
  const child = bench.start(["serve", "--json", "--port", "0", ...argv]);
  const over = ended(child);
  const line = await new Promise<string>((resolve, reject) => {
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString("utf8");
      if (seen.includes("\n")) resolve(seen);
    });
    void over.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)));
  });
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  const client = createClient({ url, token });
  return {
    ...{ url, token, child, client },
    stop() {
      child.kill("SIGTERM");
      return over;
    },
  };
}

/** The status and the body of one request. */
export async function request(
  { url, token }: Pick<ServerProcess, "url" | "token">,
  path: string,
  { method = "GET", body }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
