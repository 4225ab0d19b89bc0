/** Which connections each device has open, so that they end as soon as it is revoked. */
import type { Duplex } from "node:stream";
import type { KnownDevices } from "./known-devices.ts";

export type DeviceConnections = {
  note(deviceId: string, socket: Duplex): void;
  /**
   * Ends those of devices that are no longer valid. To be called several times a second: whoever is found to be revoked
   * is cut off by the next call, so that a device that revoked itself still gets its answer.
   */
  cutRevoked(): void;
  count(): number;
};

export function createDeviceConnections(known: Pick<KnownDevices, "isValid">): DeviceConnections {
  const open = new Map<Duplex, string>();
  let found: ReadonlySet<Duplex> = new Set();
  return {
    note(deviceId, socket) {
      if (open.has(socket)) return;
      open.set(socket, deviceId);
      socket.once("close", () => open.delete(socket));
    },
    cutRevoked() {
      for (const socket of found) socket.destroy();
      found = new Set([...open].filter(([, deviceId]) => !known.isValid(deviceId)).map(([socket]) => socket));
    },
    count: () => open.size,
  };
}
