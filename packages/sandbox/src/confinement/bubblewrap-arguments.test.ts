import { expect, test } from "vitest";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";

test("everything is read-only but what is bound over it, the deep after the shallow and the hidden last", () => {
  const args = bubblewrapArguments(
    {
      temporary: "/host/private",
      readable: ["/tmp/cache"],
      writable: ["/work"],
      pinned: ["/work/.github"],
      readOnly: ["/work/.github/workflows", "/work/.npmrc"],
      sealed: ["/work/.vscode"],
      hiddenFiles: ["/home/key"],
      hiddenDirectories: ["/home/.ssh"],
      emptyFile: "/host/empty",
    },
    {
      file: "/bin/bash",
      args: ["-c", "true"],
      cwd: "/work",
      descriptors: { filter: 4, report: 5 },
      hasTerminal: false,
    },
  );
  expect(args.join(" ").replaceAll(" --", "\n--").split("\n")).toEqual([
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--ro-bind / /",
    "--dev /dev",
    "--proc /proc",
    "--remount-ro /proc",
    "--bind /host/private /tmp",
    "--bind /host/private /var/tmp",
    "--ro-bind /tmp/cache /tmp/cache",
    "--bind /work /work",
    "--ro-bind /work/.npmrc /work/.npmrc",
    "--bind /work/.github /work/.github",
    "--perms 0555",
    "--tmpfs /work/.vscode",
    "--ro-bind /work/.github/workflows /work/.github/workflows",
    "--ro-bind /host/empty /home/key",
    "--perms 0555",
    "--tmpfs /home/.ssh",
    "--cap-drop ALL",
    "--die-with-parent",
    "--new-session",
    "--chdir /work",
    "--seccomp 4",
    "--info-fd 5",
    "-- /bin/bash -c true",
  ]);
});
