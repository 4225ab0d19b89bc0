/** The terminal that kedge was started in. */
import { ProcessTerminal, setCapabilities, type Terminal } from "@earendil-works/pi-tui";

export type { Terminal };

export function openProcessTerminal(): Terminal {
  // We draw neither pictures nor links, so the library need not start a program to ask a multiplexer about them.
  setCapabilities({ images: null, trueColor: true, hyperlinks: false });
  return new ProcessTerminal();
}
