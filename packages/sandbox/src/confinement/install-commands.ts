/** How the missing parts of a sandbox are installed, by the kind of the system. */

/** What a system calls itself, or says it is like, and the command before the name of a package. */
const installers: Readonly<Record<string, string>> = {
  debian: "sudo apt install",
  ubuntu: "sudo apt install",
  fedora: "sudo dnf install",
  rhel: "sudo dnf install",
  arch: "sudo pacman -S",
  alpine: "sudo apk add",
  suse: "sudo zypper install",
  opensuse: "sudo zypper install",
  nixos: "nix-env -iA nixos.",
};

const packages = { bwrap: "bubblewrap", socat: "socat", nsenter: "util-linux" } as const;

export type SandboxProgram = keyof typeof packages;

/** `osRelease` is the text of /etc/os-release, empty where there is none. */
export function installCommand(program: SandboxProgram, osRelease: string): string {
  const value = (key: string) => new RegExp(`^${key}="?([^"\\n]*)"?$`, "m").exec(osRelease)?.[1] ?? "";
  const names = `${value("ID")} ${value("ID_LIKE")}`.split(" ");
  const installer = names.map((name) => installers[name]).find((found) => found !== undefined);
  const name = packages[program];
  if (installer === undefined) return `Install the package ${name} of your system.`;
  return `Run: ${installer}${installer.endsWith(".") ? "" : " "}${name}`;
}
