/** The environment of a command that only looks: without anything secret, and with a place for temporary files. */
import { childEnvironment } from "../../child-environment.ts";

/** Private to the command and gone with it. */
const scratchDirectory = "/dev/shm";

/** Wider than what other commands lose: a look uses no key, because it reaches nobody. */
const secretName = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|(?:^|_)(?:KEY|AUTH|PAT|DSN)$/i;

/** A name and a password in an address. */
const secretValue = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/** Programs that keep a log or a cache beside their answer do without. */
const quiet: Readonly<Record<string, string>> = { NPM_CONFIG_LOGS_MAX: "0", PYTHONDONTWRITEBYTECODE: "1" };

export function lookEnvironment(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const scrubbed = childEnvironment(environment, { scrub: true, scrubGithub: true });
  const kept = Object.entries(scrubbed).filter(([name, value]) => !secretName.test(name) && !secretValue.test(value));
  return { ...Object.fromEntries(kept), ...quiet, TMPDIR: scratchDirectory };
}
