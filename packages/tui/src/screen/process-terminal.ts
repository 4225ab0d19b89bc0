/** The terminal that kedge was started in. */
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui";

export type { Terminal };

export function openProcessTerminal(): Terminal {
  return new ProcessTerminal();
}
