/** The commands about paired devices, which no place of work knows. */
import type { Command, CommandAnswer, CommandType } from "@kedge/protocol";
import type { Caller } from "../admission/admissions.ts";
import type { DeviceDesk } from "./device-desk.ts";

/** Undefined for every other command. */
export function carryOutOfDevices(
  devices: DeviceDesk,
  caller: Caller,
  command: Command,
): CommandAnswer<CommandType> | undefined {
  switch (command.type) {
    case "pairing.issue":
      return { ok: true, value: devices.issue(caller, command.scope) };
    case "device.rename":
      devices.rename(caller, command.deviceId, command.name);
      return { ok: true, value: {} };
    case "device.revoke":
      devices.revoke(caller, command.deviceId);
      return { ok: true, value: {} };
    case "push.subscribe":
      devices.subscribe(caller, command);
      return { ok: true, value: {} };
    case "push.unsubscribe":
      devices.unsubscribe(caller);
      return { ok: true, value: {} };
    default:
      return undefined;
  }
}
