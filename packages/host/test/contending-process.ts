/** One of many processes that change the same files at the same moment. Run by the test beside it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCredentials } from "../src/credentials/credentials.ts";
import { noKeyring } from "../src/credentials/keyring.ts";
import { openHome } from "../src/machine/home.ts";
import { saveRulesForProject } from "../src/sessions/saved-rules.ts";
import { answerTrust } from "../src/trust/workspace-trust.ts";

const [user = "", root = "", number = ""] = process.argv.slice(2);
const opened = openHome(join(user, ".kedge"));
if (!opened.ok) throw new Error(opened.failure.message);
const { home } = opened;
const parts = { home, root, userDirectory: user, now: () => 0 };

async function change(): Promise<void> {
  const path = join(home.directory, "credentials.json");
  createCredentials({ path, environment: {}, keyring: noKeyring }).store(`provider-${number}`, `key-${number}`);
  answerTrust({ ...parts, root: `${root}/${number}` }, "trusted");
  const saved = await saveRulesForProject([{ permission: "bash", pattern: `run ${number}`, action: "allow" }], parts);
  if (!saved.ok) throw new Error(saved.failure.message);
}

// All of them are ready before the first begins.
writeFileSync(join(user, `ready-${number}`), "");
const waiting = new Int32Array(new SharedArrayBuffer(4));
while (!existsSync(join(user, "go"))) Atomics.wait(waiting, 0, 0, 2);
await change();
