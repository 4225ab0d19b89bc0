/** How a process that kedge starts is recognised as its own, whatever it does later, so that it ends with kedge. */

type Environment = { readonly [name: string]: string };
type Start = { readonly file: string; readonly args: readonly string[] };

/** Holds the numbers of all kedges around a process, the innermost one last. */
const tieVariable = "KEDGE_TIE";

export function withTie<Given extends Environment>(environment: Given, number: string): Given {
  const outer = environment[tieVariable];
  return { ...environment, [tieVariable]: outer === undefined ? number : `${outer} ${number}` };
}

/**
 * Out of memory, Linux ends the process that it rates highest, which may be kedge with all its sessions. Whatever runs
 * commands is rated higher, and so is what these start. Never lower than before, and nothing where there is no /proc.
 */
const endedFirst =
  '{ read -r kedge_oom_score && [ "$kedge_oom_score" -lt 500 ] && echo 500 >/proc/self/oom_score_adj; } 2>/dev/null </proc/self/oom_score_adj';

/**
 * For whatever runs commands of others. A variable is lost with `env -i`, a descriptor when it is closed, a group with
 * `setsid`. Limits are inherited by everybody, no program drops them, and Linux has none for the resident set: the number
 * of the kedge as that limit limits nothing and stays visible in `/proc/<pid>/limits`.
 */
export function tiedStart<Given extends Start>(start: Given, environment: Environment): Given {
  const number = environment[tieVariable]?.split(" ").at(-1);
  if (number === undefined) return start;
  // A hard limit below the number cannot be raised; the variable is left then.
  const script = `ulimit -m "$0" 2>/dev/null || :; ${endedFirst}; exec "$@"`;
  return { ...start, file: "/bin/sh", args: ["-c", script, number, start.file, ...start.args] };
}
