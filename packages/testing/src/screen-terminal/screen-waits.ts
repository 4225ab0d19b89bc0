/** Waits until a screen shows what it should. */
import type { Emulator } from "./emulator.ts";

export interface ScreenWaits {
  /** Resolves with the screen as soon as it shows the text; a regular expression is tried on all rows together. */
  shows(text: string | RegExp, timeoutMs?: number): Promise<readonly string[]>;
  /** Resolves as soon as the screen is as it should be. `what` names it in the error. */
  until(
    isReached: (screen: readonly string[]) => boolean,
    what: string,
    timeoutMs?: number,
  ): Promise<readonly string[]>;
  /** Resolves when nothing was written for so long, by a program that has nothing left to do. */
  settled(quietMs: number, timeoutMs?: number): Promise<readonly string[]>;
  /** To be called after each change. */
  look(): void;
}

type WaitedProgram = {
  /** Undefined while it runs. */
  exitCode(): number | undefined;
  /** How much it has written. */
  bytes(): number;
  /** Whether it computes, or would if the machine let it. */
  isBusy(): boolean;
};

/** Long enough for a machine that does much else at the same time. */
const waitMsDefault = 60_000;

export function createScreenWaits(emulator: Pick<Emulator, "screen" | "state">, program: WaitedProgram): ScreenWaits {
  const looks = new Set<() => void>();

  function until(isReached: (screen: readonly string[]) => boolean, what: string, timeoutMs = waitMsDefault) {
    return new Promise<readonly string[]>((resolve, reject) => {
      const fail = (why: string) => {
        stop();
        reject(new Error(`${why} ${what}; the screen is:\n${framed(emulator.screen())}`));
      };
      const check = () => {
        if (emulator.state().isInFrame) return;
        const screen = emulator.screen();
        const exitCode = program.exitCode();
        if (isReached(screen)) {
          stop();
          resolve(screen);
        } else if (exitCode !== undefined) fail(`The program ended with ${exitCode} before`);
      };
      const timer = setTimeout(() => fail(`${timeoutMs} ms passed without`), timeoutMs);
      const stop = () => {
        clearTimeout(timer);
        looks.delete(check);
      };
      looks.add(check);
      check();
    });
  }

  return {
    until,
    shows(text, timeoutMs) {
      const isShown = (screen: readonly string[]) => {
        const all = screen.join("\n");
        return typeof text === "string" ? all.includes(text) : text.test(all);
      };
      return until(isShown, String(text), timeoutMs);
    },
    async settled(quietMs, timeoutMs = waitMsDefault) {
      const end = performance.now() + timeoutMs;
      for (let before = -1; before !== program.bytes() || program.isBusy(); ) {
        before = program.bytes();
        if (performance.now() > end) throw new Error(`The program still writes after ${timeoutMs} ms.`);
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      }
      return emulator.screen();
    },
    look() {
      for (const listener of [...looks]) listener();
    },
  };
}

function framed(screen: readonly string[]): string {
  const last = screen.findLastIndex((row) => row !== "");
  return screen
    .slice(0, last + 1)
    .map((row) => `│${row}`)
    .join("\n");
}
