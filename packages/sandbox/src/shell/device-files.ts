/** Files under /dev and /proc that are no files: harmless ones, those that never end, disks, and what processes hold. */

export type DeviceVerdict = "free" | "network" | "refused" | "process" | "disk" | "none";

const refused =
  /^(?:\/dev\/(?:zero|random|urandom|full|stdin|tty\w*|console|fd\/0|ptmx|pts\/.*|mem|kmem|port)|\/proc\/(?:kcore|sysrq-trigger|kmem))$/;
/** Variables, memory and open files of a process, and the whole file system by another name. */
const ofProcess =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|s?maps|auxv|pagemap|(?:fd|map_files|root|cwd)\/.+)$/;
const processNames: ReadonlySet<string> = new Set(["environ", "mem", "maps", "smaps", "auxv", "pagemap"]);
const disk =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|dm-\d|md\d|sr\d|r?disk\d|disk\/|mapper\/|block\/|mem$|kmem$|port$)/;

export function judgeDevice(path: string, access: "read" | "write"): DeviceVerdict {
  if (!path.startsWith("/dev/") && !path.startsWith("/proc/")) return "none";
  if (path === "/dev/null") return "free";
  if (access === "write" && (path === "/dev/stdout" || path === "/dev/stderr")) return "free";
  if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path)) return "network";
  if (access === "write" && disk.test(path)) return "disk";
  if (ofProcess.test(path)) return "process";
  return refused.test(path) ? "refused" : "none";
}

/** For words of programs that nobody knows: what they do to a file of such a name does not matter. */
export function isOfProcess(text: string): boolean {
  return text.startsWith("/proc/") && (ofProcess.test(text) || isProcessPattern(text));
}

/** Whether an absolute path with `*`, `?` or `[` in it may stand for what a process holds. */
export function isProcessPattern(path: string): boolean {
  if (!/^\/(?:proc|[^/]*[*?[][^/]*)\//.test(path)) return false;
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (processNames.has(last)) return true;
  return ofProcess.test(path) || (/[*?[]/.test(last) && /^\/proc\/[^/]+\/./.test(path));
}
