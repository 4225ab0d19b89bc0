/** A server that other machines reach, and the ways to call it from one: over TLS, with the pinned certificate only. */
import { request } from "node:http";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { openReachCertificate } from "@kedge/host/reach";
import { hostAccess } from "@kedge/host/server";
import type { Scope } from "@kedge/protocol";
import { addDevice } from "../../src/devices/device-file.ts";
import type { ReachOptions } from "../../src/serve-reach.ts";
import { type Answer, type Call, openSite, type ServerSite, type SiteOptions } from "../http/server-site.ts";

export type ReachSite = ServerSite & {
  readonly hostName: string;
  readonly fingerprint: string;
  /** An encrypted connection to the address for others. */
  connectReach(): Duplex;
  /** Without a token unless one is given. */
  callReach(method: string, path: string, call?: Call): Promise<Answer>;
  /** As if it had been paired. */
  deviceOf(scope: Scope): { readonly deviceId: string; readonly secret: string };
};

type ReachSiteOptions = SiteOptions & {
  /** An address of this machine that is not loopback. */
  readonly address: string;
  /** How the other machine gets a connection; from this machine itself without it. */
  readonly dial: (port: number) => Socket;
  readonly reach?: Partial<ReachOptions>;
};

export async function openReachSite({ address, dial, reach, ...options }: ReachSiteOptions): Promise<ReachSite> {
  let certificate: ReturnType<typeof openReachCertificate> | undefined;
  const site = await openSite({
    ...options,
    serve: (home, clock) => {
      const access = hostAccess({ home, environment: {}, now: clock });
      certificate = openReachCertificate({ ...access, address, machine: hostname() });
      return {
        ...options.serve,
        reach: { ...certificate, hostname: address, port: 0, scope: "approve", ...reach },
      };
    },
  });
  if (certificate === undefined || site.server.reach === undefined) throw new Error("no reach");
  const { fingerprint, authority } = certificate;
  const { host: hostName, port } = new URL(site.server.reach.url);

  /** Whoever pins the certificate accepts no other, and needs no authority. */
  function connectReach(): Duplex {
    const socket = connectTls({ socket: dial(Number(port)), rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      if (socket.getPeerCertificate().fingerprint256 !== fingerprint) socket.destroy(new Error("another certificate"));
    });
    return socket;
  }

  async function callReach(method: string, path: string, given: Call = {}): Promise<Answer> {
    const { body, token = "", headers = {}, signal } = given;
    const text = given.text ?? (body === undefined ? undefined : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const asking = request(
        {
          ...{ method, path, host: address, port, createConnection: connectReach },
          ...(signal !== undefined && { signal }),
          headers: {
            ...(token !== "" && { authorization: `Bearer ${token}` }),
            ...(text !== undefined && {
              "content-type": "application/json",
              "content-length": String(Buffer.byteLength(text)),
            }),
            ...headers,
          },
        },
        (response) => {
          let received = "";
          response.setEncoding("utf8");
          response.on("data", (piece: string) => {
            received += piece;
          });
          response.on("error", reject);
          response.on("end", () => {
            const found = new Headers(
              Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
            );
            const isJson = found.get("content-type") === "application/json" && received !== "";
            const json: unknown = isJson ? JSON.parse(received) : undefined;
            resolve({ status: response.statusCode ?? 0, headers: found, text: received, json });
          });
        },
      );
      asking.on("error", reject);
      asking.end(text);
    });
  }

  return {
    ...site,
    ...{ hostName, fingerprint, connectReach, callReach },
    deviceOf(scope) {
      const access = hostAccess({ home: site.home, environment: {}, now: site.now });
      const { device, secret } = addDevice(access, { name: `a ${scope}`, scope, authority });
      return { deviceId: device.deviceId, secret };
    },
  };
}
