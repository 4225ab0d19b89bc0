/** Files that hold secrets, known by their names alone: some ask, kedge's own and those of processes are refused. */
import { matchGlob } from "./glob.ts";

const secretNames: ReadonlySet<string> = new Set([
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".vault-token",
  "application_default_credentials.json",
  "credentials.tfrc.json",
  "key4.db",
  "logins.json",
]);

const secretEndings: ReadonlySet<string> = new Set([
  ".pem",
  ".key",
  ".p12",
  ".pfx",
  ".ppk",
  ".jks",
  ".keystore",
  ".kdbx",
  ".keychain",
  ".keychain-db",
]);

const privateKeyNames: readonly string[] = ["id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"];

/** Matched against the whole path in lower case with forward slashes. */
const secretPlaces: readonly string[] = [
  "*/.aws/credentials",
  "*/.aws/sso/cache/*",
  "*/.aws/cli/cache/*",
  "*/.azure/*token*",
  "*/.azure/*credential*",
  "*/.config/gcloud/*credential*",
  "*/.config/gcloud/access_tokens.db",
  "*/.config/gh/hosts.yml",
  "*/.docker/config.json",
  "*/.kube/config",
  "*/.cargo/credentials",
  "*/.cargo/credentials.toml",
  "*/.gem/credentials",
  "*/.m2/settings.xml",
  "*/.gnupg/*",
  "*/library/keychains/*",
  "*/.local/share/keyrings/*",
];

const harmlessNames: ReadonlySet<string> = new Set([".env.example"]);

/** Holds the token by which a container reaches its session. */
const sessionTokenPath = "/run/kedge/session_token";

/** What a process was told, holds and has open. */
const processMemory =
  /^\/proc\/(?:[^/]+\/)+(?:environ|mem|maps|smaps|smaps_rollup|auxv|pagemap|(?:fd|map_files)\/[^/]+)$/;

/** Below kedge's directory. Projects hold what the user typed, drafts and transcripts of sessions. */
const closedPlaces = /^(?:run|data|projects|reach)(?:\/|$)/;
/** The one part of a project that is written for the model. A path with dots in it has not been followed yet. */
const memoryPlace = /^projects\/[^/]+\/memory(?:\/(?!\.\.?(?:\/|$))[^/]+)*\/?$/;

/** Reading one of these asks although `read` is allowed. */
export function isSecretFile(path: string): boolean {
  const whole = comparable(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (name.startsWith(".env")) return !harmlessNames.has(name);
  if (secretNames.has(name)) return true;
  const dot = name.lastIndexOf(".");
  if (dot > 0 && secretEndings.has(name.slice(dot))) return true;
  if (name.startsWith("id_") && !name.endsWith(".pub") && privateKeyNames.some((glob) => matchGlob(glob, name))) {
    return true;
  }
  const rooted = whole.startsWith("/") ? whole : `/${whole}`;
  // Most paths of a workspace have no such folder, and this is asked before every read.
  if (!rooted.includes("/.") && !rooted.includes("/keychains/")) return false;
  return secretPlaces.some((glob) => matchGlob(glob, rooted));
}

const credentialFiles: ReadonlySet<string> = new Set(["credentials.json", "mcp-credentials.json", "tokens.json"]);

/** Refused for every tool in every mode: kedge's credentials, stored sessions and prompts, and the memory of processes. */
export function isForbiddenFile(path: string, kedgeHome: string | undefined): boolean {
  const given = comparable(path);
  // A process sees the whole file system again below its root, which would be a second name for every file.
  const whole = !given.startsWith("/proc/")
    ? given
    : given.replace(/^(?:\/proc\/[^/]+(?:\/task\/[^/]+)?\/root(?=\/))+/, "");
  if (whole === sessionTokenPath) return true;
  if (whole.startsWith("/proc/") && processMemory.test(whole)) return true;
  if (kedgeHome === undefined) return false;
  const home = homeOfAllProfiles(kedgeHome);
  if (!whole.startsWith(`${home}/`)) return false;
  const inside = whole.slice(home.length + 1).replace(/^profiles\/[^/]+\//, "");
  if (credentialFiles.has(inside)) return true;
  return closedPlaces.test(inside) && !memoryPlace.test(inside);
}

/** Asked three times before every call, and a process has one home. */
let latestHome: { readonly given: string; readonly ofAll: string } | undefined;

/** Profiles lie below the usual directory; what is secret in one is secret in all, whichever is in use. */
export function homeOfAllProfiles(kedgeHome: string): string {
  if (latestHome?.given !== kedgeHome) {
    latestHome = { given: kedgeHome, ofAll: comparable(kedgeHome).replace(/(?:\/profiles\/[^/]+)?\/*$/, "") };
  }
  return latestHome.ofAll;
}

/** Case is ignored everywhere: a needless question on a strict file system is better than a miss on a lax one. */
function comparable(path: string): string {
  const lower = path.toLowerCase();
  return lower.includes("\\") ? lower.replaceAll("\\", "/") : lower;
}
