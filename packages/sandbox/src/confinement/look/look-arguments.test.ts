/** What the read-only view grants, as bubblewrap is told. */
import { expect, test } from "vitest";
import { lookArguments, lookNamespaces } from "./look-arguments.ts";

const command = { file: "/bin/bash", args: ["-c", "ls"], cwd: "/w", filterDescriptor: 4, hasTerminal: false };
const plain = { hiddenFiles: [], hiddenDirectories: [], shown: [], closedFile: "/t/closed" };
const namespaces = lookNamespaces({ hasUserNamespace: false });

test("everything is read-only, alone, and without rights", () => {
  expect(lookArguments(plain, command, namespaces).join(" ")).toBe(
    "--unshare-pid --unshare-net --unshare-ipc --ro-bind / / --dev /dev --proc /proc --remount-ro /proc --cap-drop ALL --die-with-parent --new-session --chdir /w --seccomp 4 -- /bin/bash -c ls",
  );
  expect(lookNamespaces({ hasUserNamespace: true })[0]).toBe("--unshare-user");
});

test("what is hidden and shown in each other comes in order of depth", () => {
  const mounts = {
    ...plain,
    hiddenFiles: ["/home/me/.kedge/w/.env", "/etc/shadow"],
    hiddenDirectories: ["/home/me/.kedge", "/run"],
    shown: ["/home/me/.kedge/w"],
  };
  const list = lookArguments(mounts, { ...command, hasTerminal: true }, namespaces).join(" ");
  expect(list).toContain(
    [
      "--perms 0000 --tmpfs /run --ro-bind /t/closed /etc/shadow --perms 0111 --tmpfs /home/me/.kedge",
      "--ro-bind /home/me/.kedge/w /home/me/.kedge/w --ro-bind /t/closed /home/me/.kedge/w/.env --chdir",
    ].join(" "),
  );
});

test("temporary files of the session are shown in their places, and closed again", () => {
  const temporary = { path: "/t/tmp", places: ["/tmp", "/var/tmp"] };
  const list = lookArguments({ ...plain, temporary, shown: ["/tmp/w"] }, command, namespaces).join(" ");
  expect(list).toContain(
    "--bind /t/tmp /tmp --bind /t/tmp /var/tmp --ro-bind /tmp/w /tmp/w --remount-ro /tmp --remount-ro /var/tmp",
  );
  expect(lookArguments({ ...plain, temporary: { ...temporary, path: "none" } }, command, namespaces)).toContain(
    "--tmpfs",
  );
});
