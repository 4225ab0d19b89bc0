/** The terminal that kedge was started in. */
import { ProcessTerminal, setCapabilities, type Terminal } from "@earendil-works/pi-tui";

export type { Terminal };

/** A frame begins with this; everything else that is written is small, and counts. */
const frameBegin = "\u001b[?2026h";
/** A terminal that lets this much wait shows nothing: it was stopped, or sits behind a dead connection. */
const waitingBytesMax = 256 * 1024;

/**
 * Writing never waits for the terminal, because who waits hears no signal. Frames that it could not take are left out;
 * `onCaughtUp` is told when everything is to be drawn again.
 */
export function openProcessTerminal(onCaughtUp: () => void): Terminal {
  // We draw neither pictures nor links, so the library need not start a program to ask a multiplexer about them.
  setCapabilities({ images: null, trueColor: true, hyperlinks: false });
  const { stdout } = process;
  doNotWait(stdout);
  let isBehind = false;
  stdout.on("drain", () => {
    if (!isBehind) return;
    isBehind = false;
    onCaughtUp();
  });
  const terminal = new ProcessTerminal();
  const write = terminal.write.bind(terminal);
  terminal.write = (piece) => {
    if (piece.startsWith(frameBegin) && stdout.writableLength > waitingBytesMax) isBehind = true;
    else write(piece);
  };
  return terminal;
}

/** Only where Node has opened the terminal once more for itself: the mode of the first one is shared with the shell. */
function doNotWait(stdout: NodeJS.WriteStream): void {
  // Declared nowhere, and the same since Node 6.
  const { _handle: handle } = stdout as {
    readonly _handle?: { readonly fd?: number; setBlocking?(is: boolean): void };
  };
  if (handle?.fd !== undefined && handle.fd > 2) handle.setBlocking?.(false);
}

const flushMsMax = 1_000;

/** Resolves when the terminal has taken all that was written, or will not. */
export async function terminalWritten(): Promise<void> {
  const { stdout } = process;
  if (stdout.writableLength === 0 || stdout.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, flushMsMax);
    stdout.write("", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Frame, mouse, focus, paste and keyboard modes off; the cursor shown; the other screen left. */
const plainModes =
  "\u001b[?2026l\u001b[?1006l\u001b[?1003l\u001b[?1002l\u001b[?1000l\u001b[?1004l\u001b[?2004l\u001b[?2031l\u001b[<u\u001b[>4;0m\u001b[?25h\u001b[?1049l";

/** For when the orderly way failed: whatever the state, a shell can be used afterwards. */
export function resetTerminal(): void {
  process.stdout.write(plainModes);
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
}
