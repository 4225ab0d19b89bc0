/** Shell commands that start a process which tries to get away from whoever started it, in random ways and combinations. */
import type { SeededRandom } from "../seeded-random.ts";

/** Each takes a simple command and gives one that starts it with less to be recognised by. */
const escapes: readonly ((command: string) => string)[] = [
  (command) => `setsid ${command}`,
  (command) => `env -i PATH="$PATH" ${command}`,
  (command) => `env -u KEDGE_JOB -u KEDGE_TIE ${command}`,
  (command) => `nohup ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `bash -c ${quoted(`trap '' HUP INT TERM QUIT; ${command} & wait`)}`,
  (command) => `bash -c ${quoted(`(${command} &) ; exit 0`)}`,
  (command) => `bash -c ${quoted(`cd /; umask 0; exec ${command} <&- >&- 2>&-`)}`,
  (command) => `bash -c ${quoted(`for fd in {3..255}; do eval "exec $fd>&-"; done 2>/dev/null; exec ${command}`)}`,
  (command) => `setsid --fork ${command}`,
  (command) => `bash -c ${quoted(`${command} & kill -STOP $! ; wait`)}`,
  // Not without an end: around a command that returns at once it would fill the machine until somebody looks.
  (command) => `bash -c ${quoted(`for time in {1..20}; do ${command}; done`)}`,
];

/** Runs for hours under this word; the command itself returns at once. */
export function runawayCommand(random: SeededRandom, word: string): string {
  let command = `sleep ${word}`;
  for (let layers = random.below(5); layers >= 0; layers -= 1) {
    command = escapes[random.below(escapes.length)]?.(command) ?? command;
  }
  return `${command} </dev/null >/dev/null 2>&1 &`;
}

/** An argument of `sleep` that no other process has. */
export function runawayWord(random: SeededRandom): string {
  return `86400.${process.pid}${String(random.below(1e9)).padStart(9, "0")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
