/** What the handlers of the desk work with: what the host gave it, and what it has opened itself. */
import type { Terminals } from "@kedge/server/terminals";
import type { ConfigurationDesk } from "../configuration/configuration-desk.ts";
import type { SignInDesk } from "../sign-in/sign-in-desk.ts";
import type { SharingDesk } from "./collab-desk.ts";
import type { HostDeskParts } from "./host-desk.ts";
import type { LogLines } from "./log-lines.ts";
import type { OpenStatuses } from "./open-statuses.ts";
import type { ShellLines } from "./shell-lines.ts";

export type OpenDesk = HostDeskParts & {
  readonly statuses: OpenStatuses;
  readonly lines: ShellLines;
  readonly log: LogLines;
  readonly liveSettings: ConfigurationDesk;
  readonly terminals: Terminals;
  /** Sign-ins under way. */
  readonly signIns: SignInDesk;
  readonly sharing: SharingDesk;
  /** The parts with the configuration as it counts now. */
  readonly current: () => HostDeskParts;
};
