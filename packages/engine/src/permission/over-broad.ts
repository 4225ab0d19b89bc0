/** Allow rules that permit anything at all, because what they name runs whatever it is given. */
import type { PermissionRule } from "@kedge/protocol";
import { namesPermission } from "./names.ts";

/** Programs that run code from their arguments or start any other program. */
const runsAnything: ReadonlySet<string> = new Set(
  (
    "python python2 python3 node bash sh zsh dash ksh fish perl ruby php lua deno bun npx pnpx bunx uvx pipx ssh sudo " +
    "doas su eval exec xargs parallel find awk gawk env nohup timeout watch osascript tclsh make"
  ).split(" "),
);

/** The same, of one sub-command. */
const runsAnythingIn: ReadonlySet<string> = new Set([
  "docker run",
  "docker exec",
  "podman run",
  "podman exec",
  "kubectl exec",
  "go run",
  "npm exec",
]);

/** True for an allow rule under which a command could do anything. */
export function isOverBroad({ permission, pattern, action }: PermissionRule): boolean {
  if (action !== "allow" || !namesPermission(permission, "bash")) return false;
  const star = pattern.indexOf("*");
  if (star === -1) return false;
  const [program = "", second = ""] = pattern.slice(0, star).split(" ");
  if (program === "" || /^[*?]*$/.test(pattern)) return true;
  const name = program.slice(program.lastIndexOf("/") + 1);
  // With more than an option before the star the rule names what runs: `python3 scripts/check.py*`.
  if (runsAnything.has(name)) return second === "" || second.startsWith("-");
  return runsAnythingIn.has(`${name} ${second}`) && pattern.slice(0, star).split(" ").length <= 3;
}
