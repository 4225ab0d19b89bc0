/** The places outside of a workspace that no look may read: keys, tokens and services, where they are usually kept. */
import { accessSync, constants, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Below a home, with everything in them. */
const homeNames: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".oci",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/glab-cli",
  ".config/op",
  ".config/doctl",
  ".config/sops",
  ".config/rclone",
  ".config/google-chrome",
  ".config/chromium",
  ".mozilla",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".terraform.d",
  "Library/Keychains",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".config/git/credentials",
  ".vault-token",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".psql_history",
  ".env",
  // Other agents.
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  ".local/share/opencode/auth.json",
];

/** Sockets, pipes and tokens of running services are all in the first of them. */
const systemPlaces: readonly string[] = [
  "/run",
  "/var/run",
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/ssl/private",
  "/etc/pki/tls/private",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/ssh/ssh_host_dsa_key",
  "/etc/krb5.keytab",
  "/etc/kubernetes",
  "/etc/rancher",
  "/var/lib/kubelet",
  "/var/lib/docker",
  "/var/lib/containerd",
];

/** Programs of some systems lie in there. */
export const shownSystemPlaces: readonly string[] = [
  "/run/current-system",
  "/run/booted-system",
  "/run/wrappers",
  "/run/opengl-driver",
];

const homesDirectory = "/home";
const otherHomesMax = 50;

/** Resolved and existing; a file that this user cannot read is closed by the system. */
export function hiddenPlaces(home: string): readonly string[] {
  const homes = new Set([home, "/root", ...otherHomes()]);
  const all = [...systemPlaces, ...[...homes].flatMap((one) => homeNames.map((name) => join(one, name)))];
  return all.flatMap(readablePlace);
}

/** Nothing for what is absent or closed anyway. */
export function readablePlace(path: string): readonly string[] {
  try {
    // Most of them are absent, and this way costs no exception.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    const real = realpathSync(path);
    // What lies in a directory that cannot be listed may still be read by its name.
    if (!lstatSync(real).isDirectory()) accessSync(real, constants.R_OK);
    return [real];
  } catch (error) {
    if (error instanceof Error && "code" in error && closedCodes.has(error.code)) return [];
    throw error;
  }
}

const closedCodes: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

function otherHomes(): readonly string[] {
  try {
    return readdirSync(homesDirectory)
      .slice(0, otherHomesMax)
      .map((name) => join(homesDirectory, name));
  } catch (error) {
    if (error instanceof Error && "code" in error && closedCodes.has(error.code)) return [];
    throw error;
  }
}
