/** `kedge devices`: lists, renames and revokes the devices that were paired with servers of this home, and pairs another one. */
import { findProject, homeDirectory, openHome } from "@kedge/host";
import type { StoredDevice } from "@kedge/host/reach";
import { type HostAccess, hostAccess } from "@kedge/host/server";
import { FailureError } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { tableText } from "../text-table.ts";
import { deviceTexts } from "../texts/servers.ts";
import { pairingText } from "./pairing-text.ts";

export async function runDevicesCommand([action = "list", ...words]: readonly string[], flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const { environment, userDirectory } = surroundings;
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const access = hostAccess({ home: opened.home.directory, environment, now: Date.now });
  const [device, name, extra] = words;
  try {
    if (action === "list" && device === undefined) return await list(access, flags);
    if (action === "pair" && device === undefined) return await pair(access, flags, surroundings);
    if (action === "revoke" && device !== undefined && name === undefined) return await revoke(access, device, flags);
    if (action === "rename" && device !== undefined && name !== undefined && extra === undefined) {
      return await rename(access, device, name);
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return exitCodes.error;
  }
  writeNotice(deviceTexts.usage);
  return exitCodes.usage;
}

async function list({ home, now }: HostAccess, { json }: Flags): Promise<number> {
  const { readDeviceFile } = await import("@kedge/host/reach");
  const devices = readDeviceFile(home)
    .filter(({ expiresAt }) => expiresAt > now())
    .map(listed);
  if (json) {
    writeResult(`${JSON.stringify(devices)}\n`);
    return exitCodes.success;
  }
  const rows = tableText<(typeof devices)[number]>(
    [
      { title: deviceTexts.name, align: "left", text: (each) => each.name },
      { title: deviceTexts.scope, align: "left", text: ({ scope }) => scope },
      { title: deviceTexts.lastSeen, align: "left", text: ({ seenAt }) => new Date(seenAt).toISOString().slice(0, 16) },
      {
        title: deviceTexts.notifications,
        align: "left",
        text: ({ isNotified }) => (isNotified ? deviceTexts.on : deviceTexts.off),
      },
      { title: deviceTexts.id, align: "left", text: ({ deviceId }) => deviceId },
    ],
    devices,
  );
  writeResult(devices.length === 0 ? deviceTexts.none : rows);
  return exitCodes.success;
}

/** Without what it is known by, and where notices to it go. */
function listed({ digest: _digest, authority: _authority, push, ...device }: StoredDevice) {
  return { ...device, isNotified: push !== undefined };
}

async function revoke(access: HostAccess, named: string, { json }: Flags): Promise<number> {
  const { revokeDevice } = await import("@kedge/host/reach");
  const { deviceId, name } = await findDevice(access, named);
  revokeDevice(access, deviceId);
  if (json) writeResult(`${JSON.stringify({ deviceId, name })}\n`);
  else writeResult(deviceTexts.revoked(name, deviceId));
  return exitCodes.success;
}

async function rename(access: HostAccess, named: string, name: string): Promise<number> {
  const { renameDevice } = await import("@kedge/host/reach");
  renameDevice(access, (await findDevice(access, named)).deviceId, name);
  return exitCodes.success;
}

/** By id, or by a name that only one of them has. */
async function findDevice({ home, environment }: HostAccess, named: string): Promise<StoredDevice> {
  const { readDeviceFile } = await import("@kedge/host/reach");
  if (environment["KEDGE_JOB"] !== undefined) {
    throw failure(deviceTexts.notByAgent, deviceTexts.ownTerminal);
  }
  const found = readDeviceFile(home).filter(({ deviceId, name }) => deviceId === named || name === named);
  const [device, another] = found;
  if (device !== undefined && another === undefined) return device;
  throw device === undefined
    ? failure(deviceTexts.noDevice(named), deviceTexts.listHint)
    : failure(deviceTexts.severalNamed(found.length, named), deviceTexts.useId);
}

async function pair(access: HostAccess, flags: Flags, { cwd, environment }: Surroundings): Promise<number> {
  const token = flags.token ?? environment["KEDGE_TOKEN"];
  if (token === undefined) {
    const recovery = deviceTexts.passToken;
    throw failure(deviceTexts.needsToken, recovery);
  }
  const { findRunningServer } = await import("@kedge/host/server");
  const { directory } = { directory: findProject(cwd).cwd };
  const found = await findRunningServer(access, directory);
  if (found.kind !== "running") throw failure(deviceTexts.noServer, deviceTexts.startOne);
  const { url } = found.server;
  const scope = flags.scope === undefined ? {} : { scope: flags.scope };
  const issued = await createClient({ url, token }).send<"pairing.issue">({ type: "pairing.issue", ...scope });
  if (!issued.ok) throw new FailureError(issued.failure);
  const { qrText } = await import("@kedge/host/reach");
  if (flags.json) writeResult(`${JSON.stringify(issued.value)}\n`);
  else writeResult(pairingText(issued.value, qrText(issued.value.url)));
  return exitCodes.success;
}

function failure(message: string, recovery: string): FailureError {
  return new FailureError({ code: "invalid_command", message, recovery, retryable: false });
}
