/** Starts the server of a directory: joins admissions, socket, routes and places of work, and tells clients where it is. */
import { type CommandRows, FailureError, protocolVersion, routeOf, type Scope } from "@kedge/protocol";
import { commandRows, cookieRow } from "@kedge/protocol/rows";
import { admitRequests } from "./admission/admit-requests.ts";
import { attemptText } from "./admission/attempt-report.ts";
import { type AdmissionsParts, createAdmissions } from "./admission/create-admissions.ts";
import { newToken } from "./admission/secret-words.ts";
import { createDeviceDesk, type PairingLink } from "./devices/device-desk.ts";
import type { HostAccess } from "./host-access.ts";
import { createApp } from "./http/app.ts";
import { requestListener } from "./http/request-listener.ts";
import { hostnameDefault, type ListenOptions, listen } from "./listen.ts";
import { createInstances, type Instances, type InstancesParts } from "./places/instances.ts";
import { webRoutes } from "./routes/web-routes.ts";
import { publishServer } from "./run-file.ts";
import { type OpenedReach, openReach, type ReachOptions } from "./serve-reach.ts";
import { projectHashOf } from "./server-port.ts";
import { joinTerminals } from "./terminals/terminal-socket.ts";

export type ServerParts = HostAccess &
  ListenOptions &
  Pick<InstancesParts, "roots" | "openPlace"> &
  Omit<
    AdmissionsParts,
    "boundTo" | "tokens" | "openRoutes" | "publicRoutes" | "procDirectory" | "onAgentAttempt" | "devices"
  > & {
    /** What the token may do that the one who starts the server is given; `approve` unless said otherwise. */
    readonly tokenScope?: Scope;
    /** The door may not be open; mostly a managed policy says so. */
    readonly requireAuth?: boolean;
    readonly kedgeVersion: string;
    /** How often sessions and places of work that nobody uses are looked for. */
    readonly sweepMs?: number;
    /** Commands that a place of work has beside those of the protocol. */
    readonly commands?: CommandRows;
    /** Where the files of the web app are; without it there is none. */
    readonly webDirectory?: string;
    /** Paired devices reach it from other machines; without it nobody does. */
    readonly reach?: ReachOptions;
    readonly onBug: (error: unknown) => void;
  };

export type StartedServer = {
  readonly url: string;
  readonly port: number;
  /** For whoever started it; the one in the run file may do less. */
  readonly token: string;
  readonly warnings: readonly string[];
  readonly instances: Instances;
  /** Where devices reach it, and how the person who started it pairs one. */
  readonly reach?: {
    readonly url: string;
    readonly fingerprint: string;
    pair(scope?: Scope): PairingLink;
  };
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
  const onAgentAttempt: AdmissionsParts["onAgentAttempt"] = (attempt) => {
    const text = attemptText(attempt);
    parts.onNotice(text);
    for (const { door } of instances.list()) door.send({ type: "log.write", level: "warning", text }).catch(onBug);
  };
  const admissions = createAdmissions({
    ...parts,
    boundTo: hostname,
    openRoutes: [routeOf(cookieRow)],
    publicRoutes: webRoutes,
    onAgentAttempt,
    tokens: [
      { token, scope: parts.tokenScope ?? "approve", name: "start" },
      { token: runToken, scope: "prompt", name: "run-file" },
    ],
  });
  const instances = createInstances(parts);
  const self = { pid: process.pid, version, projectHash, startedAt, directory };
  const commands = { ...commandRows, ...parts.commands };
  let reach: OpenedReach | undefined;
  const devices = createDeviceDesk({ ...parts, reach: () => reach });
  const routed = { commands, instances, devices, self, now, onBug, ...webOf(parts) };
  const app = createApp({ ...routed, admissions, isForDevices: false, address: () => address });
  const onUpgrade = joinTerminals({ admissions, instances, onBug });
  const listeners = admitRequests(admissions, { onRequest: requestListener(app, onBug), onUpgrade, onProblem: onBug });
  const listening = await listen(parts, listeners);
  try {
    if (parts.reach !== undefined) {
      // The same number on both addresses, unless somebody else has it.
      const port = parts.reach.port ?? parts.port;
      const options = { ...parts.reach, ...(port !== undefined && { port }) };
      reach = await openReach({ ...parts, reach: options, app: routed, onAgentAttempt });
    }
  } catch (error) {
    await listening.close(0);
    throw error;
  }
  const { url, port } = listening;
  address = url;
  const warnings = [...listening.warnings, ...(parts.isDoorOpen === true ? [openDoorWarning] : [])];
  const { pid, startedAt: processStartedAt } = parts.thisProcess();
  const known = { pid, processStartedAt, url, port, startedAt, version, protocolVersion, directory };
  const published = publishServer(parts, { ...known, token: runToken });
  if (!published.ok) {
    await Promise.all([listening.close(0), reach?.close()]);
    throw alreadyThere(directory, published.existing.url);
  }
  const sweeping = setInterval(() => {
    instances.sweep().catch(onBug);
  }, parts.sweepMs ?? sweepMsDefault).unref();
  const attending = setInterval(() => {
    instances.refuseUnattended({ isSomebodyNotified: reach?.hasApprovers() === true }).catch(onBug);
  }, attendMs).unref();
  return {
    ...{ url, port, token, warnings, instances },
    ...(reach !== undefined && {
      reach: {
        ...{ url: reach.url, fingerprint: reach.fingerprint },
        pair: (scope?: Scope) => devices.issue({ by: "token", scope: "admin" }, scope),
      },
    }),
    async close() {
      for (const timer of [sweeping, attending]) clearInterval(timer);
      published.withdraw();
      // Requests that wait for a run are answered when it is interrupted.
      await Promise.all([listening.close(), reach?.close(), instances.close()]);
    },
  };
}

function webOf({ webDirectory }: ServerParts): Pick<ServerParts, "webDirectory"> {
  return webDirectory === undefined ? {} : { webDirectory };
}

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
