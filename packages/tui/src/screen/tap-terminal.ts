/** Stands between the terminal and the library that draws on it. */
import { decodeInput } from "./decode-input.ts";
import type { Input } from "./input.ts";
import type { Terminal } from "./process-terminal.ts";

const frameBegin = "\u001b[?2026h";
const eraseRow = "\u001b[2K";

export type Tapped = { readonly terminal: Terminal; readonly press: (sequence: string) => void };

/**
 * The library takes the focus of the terminal for itself; whoever notifies needs it as well. And it writes a frame
 * where nothing changed, which is left out here: each would wake up the terminal, and a connection.
 */
export function tapTerminal(terminal: Terminal, onInput: (input: Input) => void, onSize: () => void): Tapped {
  let press = (_: string) => {};
  let lastPiece = "";
  const tapped = new Proxy(terminal, {
    get(target, name) {
      if (name === "start") {
        return (listener: (sequence: string) => void, onResize: () => void) => {
          press = listener;
          target.start(
            (sequence) => {
              const input = decodeInput(sequence);
              if (input?.kind === "focus") onInput(input);
              listener(sequence);
            },
            () => {
              onSize();
              onResize();
            },
          );
        };
      }
      if (name === "write") {
        return (piece: string) => {
          // A frame without a row only says where the cursor is, as the last one did.
          const isRowless = piece.startsWith(frameBegin) && !piece.includes(eraseRow);
          if (isRowless && lastPiece.endsWith(piece.slice(frameBegin.length))) return;
          lastPiece = piece;
          target.write(piece);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { terminal: tapped, press: (sequence) => press(sequence) };
}
