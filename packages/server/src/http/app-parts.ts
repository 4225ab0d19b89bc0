/** What the HTTP interface is made of: admission before it, the places of work behind it, and what it says of itself. */
import type { CommandRows } from "@kedge/protocol";
import type { Admissions } from "../admission/admissions.ts";
import type { DeviceDesk } from "../devices/device-desk.ts";
import type { Instances } from "../places/instances.ts";

export type AppParts = {
  /** Every command that has a route; `commandRows` of the protocol, and those that a place of work adds to them. */
  readonly commands: CommandRows;
  readonly admissions: Admissions;
  readonly instances: Instances;
  readonly devices: DeviceDesk;
  /** Paired devices call it and nobody else. */
  readonly isForDevices: boolean;
  /** The certificate of the authority that devices may install, as PEM. */
  readonly authorityPem?: string;
  readonly self: {
    readonly pid: number;
    readonly version: string;
    readonly projectHash: string;
    readonly startedAt: number;
    /** The server's own place of work. */
    readonly directory: string;
  };
  /** Where the server is reached from this machine. */
  readonly address: () => string;
  /** Where the files of the web app are; without it there is none. */
  readonly webDirectory?: string;
  readonly now: () => number;
  /** Told of what should not have happened; the caller only learns that it did. */
  readonly onBug: (error: unknown) => void;
};
