/** Starts the server of a directory: joins admissions, socket, routes and places of work, and tells clients where it is. */
import { getRequestListener, RequestError } from "@hono/node-server";
import { type CommandRows, FailureError, protocolVersion, routeOf, type Scope } from "@kedge/protocol";
import { commandRows, cookieRow } from "@kedge/protocol/rows";
import type { Caller } from "./admission/admissions.ts";
import { type AdmittedApp, admitRequests } from "./admission/admit-requests.ts";
import { attemptText } from "./admission/attempt-report.ts";
import { type AdmissionsParts, createAdmissions } from "./admission/create-admissions.ts";
import { newToken } from "./admission/secret-words.ts";
import type { HostAccess } from "./host-access.ts";
import { answerProblem } from "./http/answer-json.ts";
import { createApp } from "./http/app.ts";
import type { ServerApp } from "./http/server-environment.ts";
import { hostnameDefault, type ListenOptions, listen } from "./listen.ts";
import { createInstances, type Instances, type InstancesParts } from "./places/instances.ts";
import { publishServer } from "./run-file.ts";
import { projectHashOf } from "./server-port.ts";
import { joinTerminals } from "./terminals/terminal-socket.ts";

export type ServerParts = HostAccess &
  ListenOptions &
  Pick<InstancesParts, "roots" | "openPlace"> &
  Omit<AdmissionsParts, "boundTo" | "tokens" | "openRoutes" | "procDirectory" | "onAgentAttempt"> & {
    /** What the token may do that the one who starts the server is given; `approve` unless said otherwise. */
    readonly tokenScope?: Scope;
    /** The door may not be open; mostly a managed policy says so. */
    readonly requireAuth?: boolean;
    readonly kedgeVersion: string;
    /** How often sessions and places of work that nobody uses are looked for. */
    readonly sweepMs?: number;
    /** Commands that a place of work has beside those of the protocol. */
    readonly commands?: CommandRows;
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

const sweepMsDefault = 30_000;
const attendMs = 1_000;

/** Throws a FailureError when it may not or cannot serve there. */
export async function startServer(parts: ServerParts): Promise<StartedServer> {
  const { directory, now, kedgeVersion: version, onBug, hostname = hostnameDefault } = parts;
  if (parts.isDoorOpen === true && parts.requireAuth === true) throw mustAuthenticate();
  const token = newToken();
  const runToken = newToken();
  const projectHash = projectHashOf(directory);
  const startedAt = now();
  let address = "";
  const admissions = createAdmissions({
    ...parts,
    boundTo: hostname,
    openRoutes: [routeOf(cookieRow)],
    onAgentAttempt(attempt) {
      const text = attemptText(attempt);
      parts.onNotice(text);
      for (const { door } of instances.list()) door.send({ type: "log.write", level: "warning", text }).catch(onBug);
    },
    tokens: [
      { token, scope: parts.tokenScope ?? "approve", name: "start" },
      { token: runToken, scope: "prompt", name: "run-file" },
    ],
  });
  const instances = createInstances(parts);
  const self = { pid: process.pid, version, projectHash, startedAt, directory };
  const commands = { ...commandRows, ...parts.commands };
  const app = createApp({ commands, admissions, instances, self, now, onBug, address: () => address });
  const onUpgrade = joinTerminals({ admissions, instances, onBug });
  const listeners = admitRequests(admissions, { onRequest: requestListener(app, onBug), onUpgrade, onProblem: onBug });
  const listening = await listen(parts, listeners);
  const { url, port } = listening;
  address = url;
  const warnings = [...listening.warnings, ...(parts.isDoorOpen === true ? [openDoorWarning] : [])];
  const { pid, startedAt: processStartedAt } = parts.thisProcess();
  const known = { pid, processStartedAt, url, port, startedAt, version, protocolVersion, directory };
  const published = publishServer(parts, { ...known, token: runToken });
  if (!published.ok) {
    await listening.close(0);
    throw alreadyThere(directory, published.existing.url);
  }
  const sweeping = setInterval(() => {
    instances.sweep().catch(onBug);
  }, parts.sweepMs ?? sweepMsDefault).unref();
  const attending = setInterval(() => {
    instances.refuseUnattended().catch(onBug);
  }, attendMs).unref();
  return {
    ...{ url, port, token, warnings, instances },
    async close() {
      for (const timer of [sweeping, attending]) clearInterval(timer);
      published.withdraw();
      // Requests that wait for a run are answered when it is interrupted.
      await Promise.all([listening.close(), instances.close()]);
    },
  };
}

/** The caller was admitted before, and goes along to the routes. */
function requestListener(app: ServerApp, onBug: ServerParts["onBug"]): AdmittedApp["onRequest"] {
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
      return answerProblem({ status: 500, code: "bug", message: "Internal server error. See the server log." });
    },
  });
  return (request, response, caller) => {
    callers.set(request, caller);
    listener(request, response).catch(onBug);
  };
}

const unreadable = "Malformed request.";

const openDoorWarning =
  "The server runs without authentication: every program on this machine can run commands through it as you.";

function mustAuthenticate(): FailureError {
  const message = "The setting server.requireAuth does not allow a server without authentication.";
  return new FailureError({ code: "configuration", message, recovery: "Remove --no-auth.", retryable: false });
}

function alreadyThere(directory: string, url: string): FailureError {
  const message = `A server for ${directory} is already running at ${url}.`;
  const recovery = "Use that one, or stop it first.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
