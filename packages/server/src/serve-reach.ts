/** The second door of a server: on an address that other machines reach, encrypted, for paired devices and nobody else. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { FailureError, routeOf, type Scope } from "@kedge/protocol";
import { pairRow } from "@kedge/protocol/rows";
import { isLoopbackHost, isWildcardHost } from "./admission/addresses.ts";
import type { Caller } from "./admission/admissions.ts";
import { admitRequests } from "./admission/admit-requests.ts";
import { type AdmissionsParts, createAdmissions } from "./admission/create-admissions.ts";
import { createDeviceConnections, type DeviceConnections } from "./devices/device-connections.ts";
import type { ReachFacts } from "./devices/device-desk.ts";
import { createKnownDevices, type KnownDevicesParts } from "./devices/known-devices.ts";
import { createPairing } from "./devices/pairing.ts";
import { notifyDevices, type PushNotices, type PushSender } from "./devices/push-notices.ts";
import { createApp } from "./http/app.ts";
import type { AppParts } from "./http/app-parts.ts";
import { requestListener } from "./http/request-listener.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { webRoutes } from "./routes/web-routes.ts";
import { joinTerminals } from "./terminals/terminal-socket.ts";

export type ReachOptions = {
  /** One address of this machine that others reach. */
  readonly hostname: string;
  readonly port?: number;
  readonly tls: NonNullable<ListenOptions["tls"]>;
  /** See `ReachFacts`. */
  readonly fingerprint: string;
  readonly authority: string;
  readonly authorityPem: string;
  /** What a paired device may do unless a code says less. */
  readonly scope: Scope;
  readonly push?: PushSender;
  /** See `PushNoticesParts`. */
  readonly answerMs?: number;
};

export type ReachParts = Omit<AdmissionsParts, "boundTo" | "tokens" | "devices" | "password" | "isDoorOpen"> &
  Omit<KnownDevicesParts, "authority"> &
  Pick<ListenOptions, "directory" | "limits"> & {
    readonly reach: ReachOptions;
    readonly app: Omit<AppParts, "admissions" | "address" | "isForDevices" | "authorityPem">;
    readonly onBug: (error: unknown) => void;
  };

export type OpenedReach = ReachFacts & {
  /** Somebody who may approve is not here, but is notified. */
  hasApprovers(): boolean;
  close(): Promise<void>;
};

const cutEveryMs = 100;

/** Throws a FailureError when it cannot listen there. */
export async function openReach(parts: ReachParts): Promise<OpenedReach> {
  const { reach, app: given, onBug, onNotice } = parts;
  const { hostname, tls, fingerprint, authority, authorityPem, scope, push } = reach;
  if (isLoopbackHost(hostname) || isWildcardHost(hostname)) throw notOneAddress(hostname);
  const known = createKnownDevices({ ...parts, authority });
  const connections = createDeviceConnections(known);
  const pairing = createPairing({ now: parts.now, onWithdrawn: () => onNotice(withdrawn) });
  const admissions = createAdmissions({
    ...parts,
    ...{ boundTo: hostname, isForOthers: true, tokens: [], devices: known },
    ...{ openRoutes: [routeOf(pairRow)], publicRoutes: webRoutes },
  });
  let address = "";
  const app = createApp({ ...given, admissions, isForDevices: true, authorityPem, address: () => address });
  const onRequest = requestListener(app, onBug);
  const onUpgrade = joinTerminals({ admissions, instances: given.instances, onBug });
  const listeners = admitRequests(admissions, {
    onRequest(request, response, caller) {
      if (noteCaller(connections, known.isValid, request, caller)) onRequest(request, response, caller);
    },
    onUpgrade(request, socket, head, caller) {
      if (noteCaller(connections, known.isValid, request, caller)) onUpgrade(request, socket, head, caller);
    },
    onProblem: onBug,
  });
  const notices = push === undefined ? undefined : watchFor(parts, known.list, push);
  const port = reach.port === undefined ? {} : { port: reach.port };
  const limits = parts.limits === undefined ? {} : { limits: parts.limits };
  const listening = await listen({ directory: parts.directory, hostname, tls, ...port, ...limits }, listeners);
  address = listening.url;
  const cutting = setInterval(() => {
    if (connections.count() > 0) connections.cutRevoked();
  }, cutEveryMs).unref();
  return {
    ...{ url: listening.url, fingerprint, authority, pairing, scope, ...(push !== undefined && { push }) },
    hasApprovers: () => notices?.hasApprovers() === true,
    async close() {
      clearInterval(cutting);
      notices?.close();
      await listening.close();
    },
  };
}

/** False for one who was revoked between the look at its credential and now. */
function noteCaller(
  connections: DeviceConnections,
  isValid: (deviceId: string) => boolean,
  { socket }: { readonly socket: IncomingMessage["socket"] },
  { deviceId }: Caller,
): boolean {
  if (deviceId === undefined) return true;
  connections.note(deviceId, socket as Duplex);
  if (isValid(deviceId)) return true;
  socket.destroy();
  return false;
}

function watchFor(
  parts: ReachParts,
  list: () => ReturnType<ReturnType<typeof createKnownDevices>["list"]>,
  sender: PushSender,
): PushNotices {
  const { reach, app, onBug } = parts;
  const answerMs = reach.answerMs === undefined ? {} : { answerMs: reach.answerMs };
  return notifyDevices({ ...parts, ...answerMs, instances: app.instances, known: { list }, sender, onBug });
}

const withdrawn = "Too many wrong pairing codes: the current codes were withdrawn. Show a new one to pair a device.";

function notOneAddress(hostname: string): FailureError {
  const message = `${hostname} is not an address that other machines can reach.`;
  const recovery = "Choose an address of this machine in its network with --hostname.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
