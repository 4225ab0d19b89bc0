/** Starts the server of a directory: joins gate, socket, routes and places of work, and tells clients where it is. */
import { getRequestListener, RequestError } from "@hono/node-server";
import { FailureError, protocolVersion, type Scope } from "@kedge/protocol";
import { thisProcess } from "../identity.ts";
import { answerProblem } from "./answer-json.ts";
import { createApp } from "./app.ts";
import { createGate, type GateParts } from "./gate/create-gate.ts";
import type { Caller } from "./gate/gate.ts";
import { type GuardedApp, guard } from "./gate/guard.ts";
import { newToken } from "./gate/secret-words.ts";
import { createInstances, type Instances, type InstancesParts } from "./instances.ts";
import { hostnameDefault, type ListenOptions, listen } from "./listen.ts";
import { publishServer } from "./run-file.ts";
import type { ServerApp } from "./server-environment.ts";
import { projectHashOf } from "./server-port.ts";

export type ServerParts = ListenOptions &
  Pick<InstancesParts, "directory" | "roots" | "openPlace"> &
  Omit<GateParts, "boundTo" | "tokens" | "openRoutes" | "procDirectory"> & {
    /** What the token may do that the one who starts the server is given; `approve` unless said otherwise. */
    readonly tokenScope?: Scope;
    readonly kedgeVersion: string;
    readonly onBug: (error: unknown) => void;
  };

export type StartedServer = {
  readonly url: string;
  readonly port: number;
  /** For whoever started it; the one in the run file may do less. */
  readonly token: string;
  readonly warnings: readonly string[];
  readonly instances: Instances;
  /** Takes nobody in any more, interrupts what runs, and ends within five seconds. */
  close(): Promise<void>;
};

const sweepMs = 30_000;

/** Throws a FailureError when it may not or cannot serve there. */
export async function startServer(parts: ServerParts): Promise<StartedServer> {
  const { directory, home, now, kedgeVersion: version, onBug, hostname = hostnameDefault } = parts;
  const token = newToken();
  const runToken = newToken();
  const projectHash = projectHashOf(directory);
  const startedAt = now();
  const gate = createGate({
    ...parts,
    boundTo: hostname,
    tokens: [
      { token, scope: parts.tokenScope ?? "approve", name: "start" },
      { token: runToken, scope: "prompt", name: "run-file" },
    ],
  });
  const instances = createInstances(parts);
  const self = { pid: process.pid, version, projectHash, startedAt, directory };
  const onRequest = requestListener(createApp({ gate, instances, self, now, onBug }), onBug);
  const listeners = guard(gate, { onRequest, onProblem: onBug });
  const listening = await listen(parts, listeners);
  const { url, port, warnings } = listening;
  const { pid, startedAt: processStartedAt } = thisProcess();
  const known = { pid, processStartedAt, url, port, startedAt, version, protocolVersion, directory };
  const published = publishServer(home, { ...known, token: runToken });
  if (!published.ok) {
    await listening.close(0);
    throw alreadyThere(directory, published.existing.url);
  }
  const sweeping = setInterval(() => {
    instances.sweep().catch(onBug);
  }, sweepMs);
  sweeping.unref();
  return {
    ...{ url, port, token, warnings, instances },
    async close() {
      clearInterval(sweeping);
      published.withdraw();
      // Requests that wait for a run are answered when it is interrupted.
      await Promise.all([listening.close(), instances.close()]);
    },
  };
}

/** The gate has seen the request before; who it let in goes along to the routes. */
function requestListener(app: ServerApp, onBug: ServerParts["onBug"]): GuardedApp["onRequest"] {
  const callers = new WeakMap<object, Caller>();
  const answer: Parameters<typeof getRequestListener>[0] = (request, bindings) =>
    app.fetch(request, { ...bindings, caller: callers.get(bindings.incoming) });
  const listener = getRequestListener(answer, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      // What cannot be read as a request of the web is the fault of whoever sent it.
      if (error instanceof RequestError)
        return answerProblem({ status: 400, code: "bad_request", message: unreadable });
      onBug(error);
      return answerProblem({ status: 500, code: "bug", message: "The server made a mistake; its log says which." });
    },
  });
  return (request, response, caller) => {
    callers.set(request, caller);
    listener(request, response).catch(onBug);
  };
}

const unreadable = "This is not a request that can be read.";

function alreadyThere(directory: string, url: string): FailureError {
  const message = `A server for ${directory} runs already, at ${url}.`;
  const recovery = "Use that one, or end it first.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
