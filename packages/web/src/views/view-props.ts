/** What every side view is given. */
import type { Client } from "@kedge/protocol";
import type { StateStore } from "@kedge/tui/session";
import type { PageSettings } from "../app/settings.ts";

export type ViewProps = {
  readonly client: Client;
  /** The session that was open before the view, if any. */
  readonly sessionId?: string | undefined;
  /** What follows the path of the view in the address, such as the path of a file: `src/a.ts` of `/app/files/src/a.ts`. */
  readonly rest: string;
  /** What follows the `#` of the address, without it: `L12` for a line. */
  readonly hash: string;
  /** What was chosen for this browser. */
  readonly settings: StateStore<PageSettings>;
  /** Opens an address of the app, such as `/app/session/ses_1`. */
  readonly go: (address: string) => void;
};
