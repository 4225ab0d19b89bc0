/** Files under /dev and /proc that are no files: which are harmless, which never end, and which hold a disk. */

export type DeviceVerdict = "free" | "network" | "refused" | "disk" | "none";

const refused =
  /^(?:\/dev\/(?:zero|random|urandom|full|stdin|tty\w*|console|fd\/0|ptmx|pts\/.*|mem|kmem|port)|\/proc\/[^/]+\/(?:fd\/[0-2]|mem|environ)|\/proc\/(?:kcore|sysrq-trigger|kmem))$/;
const disk =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|dm-\d|md\d|sr\d|r?disk\d|disk\/|mapper\/|block\/|mem$|kmem$|port$)/;

export function judgeDevice(path: string, access: "read" | "write"): DeviceVerdict {
  if (!path.startsWith("/dev/") && !path.startsWith("/proc/")) return "none";
  if (path === "/dev/null") return "free";
  if (access === "write" && (path === "/dev/stdout" || path === "/dev/stderr")) return "free";
  if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path)) return "network";
  if (access === "write" && disk.test(path)) return "disk";
  return refused.test(path) ? "refused" : "none";
}

/** A share on another machine, which may be given credentials when it is opened. */
export function isNetworkShare(text: string): boolean {
  const path = text.replace(/^file:(?=\/\/)/i, "");
  return /^(?:\\\\|\/\/)[^/\\.][^/\\]*[/\\]/.test(path) && !/^file:\/\/localhost\//i.test(text);
}
