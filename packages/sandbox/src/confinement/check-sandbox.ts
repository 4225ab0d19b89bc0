/** Finds out whether commands can be confined on this machine, and tells what is missing and how to get it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { findProgram } from "./find-program.ts";
import { installCommand, type SandboxProgram } from "./install-commands.ts";
import { lookNamespaces, lookRoot } from "./look/look-arguments.ts";
import { filterArchitectureOf } from "./system-call-filter.ts";

export type SandboxCheck = { readonly ok: true } | SandboxLack;

export type SandboxLack = {
  readonly ok: false;
  /** `answer`: bubblewrap was not done in time, as on a machine under heavy load, which says nothing about it. */
  readonly missing: SandboxProgram | "user-namespaces" | "answer" | "other";
  /** What is wrong. */
  readonly sentence: string;
  /** What to do about it. */
  readonly howTo: string;
};

export type LookCheck =
  | { readonly ok: true; readonly bwrapPath: string; readonly hasUserNamespace: boolean }
  | SandboxLack;

export type SandboxCheckParts = {
  readonly platform: string;
  readonly architecture: string;
  /** Whether hosts are allowed, which takes one more program. */
  readonly needsBridge: boolean;
  /** Where programs are looked for; the directories of the system if left out. */
  readonly directories?: readonly string[];
  readonly answerMsMax?: number;
};

export type LookCheckParts = Pick<SandboxCheckParts, "platform" | "architecture" | "directories" | "answerMsMax"> & {
  readonly isRoot: boolean;
};

const answerMsDefault = 10_000;
const off = "or turn the sandbox off in the settings (sandbox.mode).";

export async function checkSandbox(parts: SandboxCheckParts): Promise<SandboxCheck> {
  const { platform, architecture, directories } = parts;
  if (platform !== "linux") {
    const howTo = `Run kedge on Linux, in a container or a virtual machine, ${off}`;
    return missing("other", `The sandbox needs Linux; ${platform} is not supported yet.`, howTo);
  }
  if (filterArchitectureOf(architecture) === undefined) {
    const sentence = `The sandbox has no system call filter for ${architecture}.`;
    return missing("other", sentence, `Use a machine with x64 or arm64, ${off}`);
  }
  const programs: readonly SandboxProgram[] = ["bwrap", "nsenter", ...(parts.needsBridge ? ["socat" as const] : [])];
  for (const program of programs) {
    if (findProgram(program, directories) !== undefined) continue;
    const use = program === "socat" ? ", which connects to the allowed hosts" : "";
    return missing(program, `The sandbox needs the program ${program}${use}.`, installCommand(program, osRelease()));
  }
  return tryBubblewrap(createProbe(findProgram("bwrap", directories) ?? "bwrap", parts.answerMsMax));
}

/** Whether commands that only look can be held; that takes bubblewrap alone. */
export async function checkLooks(parts: LookCheckParts): Promise<LookCheck> {
  const { platform, architecture, directories, isRoot } = parts;
  if (platform !== "linux")
    return missing("other", `The read-only view needs Linux; ${platform} is not supported yet.`, "Run kedge on Linux.");
  if (filterArchitectureOf(architecture) === undefined) {
    const sentence = `The read-only view has no system call filter for ${architecture}.`;
    return missing("other", sentence, "Use a machine with x64 or arm64.");
  }
  const bwrapPath = findProgram("bwrap", directories);
  if (bwrapPath === undefined)
    return missing("bwrap", "The read-only view needs the program bwrap.", installCommand("bwrap", osRelease()));
  const program = findProgram("true") ?? "true";
  const probe = createProbe(bwrapPath, parts.answerMsMax);
  const tryWith = (hasUserNamespace: boolean) =>
    probe([...lookNamespaces({ hasUserNamespace }), ...lookRoot, "--", program]);
  if (isRoot && (await tryWith(false)) === undefined) return { ok: true, bwrapPath, hasUserNamespace: false };
  const problem = await tryWith(true);
  if (problem === undefined) return { ok: true, bwrapPath, hasUserNamespace: true };
  if (problem === late) return noAnswer;
  return missing("user-namespaces", `bubblewrap does not start (${problem}).`, namespaceAdvice());
}

/** A part that works alone while the whole does not tells where the fault lies, whatever words bubblewrap has for it. */
async function tryBubblewrap(probe: Probe): Promise<SandboxCheck> {
  const program = findProgram("true") ?? "true";
  const whole = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev"];
  const problem = await probe([...whole, "--proc", "/proc", "--", program]);
  if (problem === undefined) return { ok: true };
  if (problem === late) return noAnswer;
  const userOnly = await probe(["--unshare-user", "--dev-bind", "/", "/", "--", program]);
  if (userOnly !== undefined) {
    const sentence = `This system does not let bubblewrap make user namespaces (${problem}).`;
    return missing("user-namespaces", sentence, namespaceAdvice());
  }
  const sentence = `bubblewrap does not start (${problem}).`;
  const howTo = `Inside a container, start it with a writable /proc and the right to make namespaces, ${off}`;
  return missing("other", sentence, howTo);
}

const late = "bubblewrap did not respond in time";
const noAnswer: SandboxLack = {
  ok: false,
  missing: "answer",
  sentence: "bubblewrap did not respond in time.",
  howTo: "Try again when the machine is less busy.",
};

/** Undefined when it ran. */
type Probe = (args: readonly string[]) => Promise<string | undefined>;

function createProbe(bwrapPath: string, answerMsMax = answerMsDefault): Probe {
  return (args) =>
    new Promise((resolve) => {
      execFile(bwrapPath, [...args], { timeout: answerMsMax, env: {}, cwd: "/" }, (error, _output, complaint) => {
        if (error?.killed === true) resolve(late);
        else resolve(error === null ? undefined : complaint.trim() || error.message);
      });
    });
}

function namespaceAdvice(): string {
  if (readSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1")
    return `Give bwrap an AppArmor profile that allows userns, or run: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`;
  if (readSetting("/proc/sys/kernel/unprivileged_userns_clone") === "0")
    return "Run: sudo sysctl kernel.unprivileged_userns_clone=1";
  if (readSetting("/proc/sys/user/max_user_namespaces") === "0")
    return "Run: sudo sysctl user.max_user_namespaces=10000";
  return `Inside a container, allow it to make namespaces (docker: --security-opt seccomp=unconfined), ${off}`;
}

function osRelease(): string {
  return readSetting("/etc/os-release") ?? "";
}

/** Most systems have only some of them. */
function readSetting(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function missing(what: SandboxProgram | "user-namespaces" | "other", sentence: string, howTo: string): SandboxLack {
  return { ok: false, missing: what, sentence, howTo };
}
