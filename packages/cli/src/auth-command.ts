/** `kedge auth login|logout|list`: stores and removes keys of providers. Only API keys: a login for people stays theirs. */
import {
  type Credentials,
  checkProviderKey,
  createModelCatalogue,
  findProject,
  homeDirectory,
  loadConfiguration,
  openCredentials,
  openHome,
} from "@kedge/host";
import { type Failure, nearNames } from "@kedge/protocol";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import type { Flags } from "./flags.ts";
import { writeDiagnostic, writeResult } from "./output.ts";
import { readSecret } from "./read-secret.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";

const actions = ["login", "logout", "list"] as const;

export async function runAuthCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [word, provider, extra] = words;
  const action = actions.find((each) => each === word);
  if (action === undefined) return usage(`kedge auth needs one of ${actions.join(", ")}.`);
  if (extra !== undefined) return usage(`kedge auth ${action} takes no ${JSON.stringify(extra)}.`);
  if (action === "list" && provider !== undefined)
    return usage(`kedge auth list takes no ${JSON.stringify(provider)}.`);
  const opened = await openDesk(flags, readSurroundings());
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  if (action === "list") return list(opened.desk, flags);
  if (provider === undefined) return usage(`kedge auth ${action} needs a provider, such as anthropic.`);
  return action === "login" ? login(opened.desk, provider, flags) : logout(opened.desk, provider);
}

function usage(sentence: string): number {
  writeDiagnostic(`kedge: ${sentence}`);
  return exitCodes.usage;
}

/** What the three actions need. */
type Desk = {
  readonly credentials: Credentials;
  readonly surroundings: Surroundings;
  readonly catalogue: ReturnType<ReturnType<typeof createModelCatalogue>["open"]>;
  readonly configuration: Extract<
    Awaited<ReturnType<typeof loadConfiguration>>,
    { readonly ok: true }
  >["configuration"];
};

type OpenedDesk = { readonly ok: true; readonly desk: Desk } | { readonly ok: false; readonly failure: Failure };

async function openDesk(flags: Flags, surroundings: Surroundings): Promise<OpenedDesk> {
  const { environment, userDirectory } = surroundings;
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) return opened;
  const { directory } = opened.home;
  const project = findProject(surroundings.cwd);
  const loaded = await loadConfiguration({
    home: directory,
    userDirectory,
    cwd: project.cwd,
    projectRoot: project.root,
    environment,
    files: flags.settings ?? [],
  });
  if (!loaded.ok) return loaded;
  const { configuration } = loaded;
  const source = createModelCatalogue({ home: directory, environment, setting: configuration.catalogue });
  const credentials = openCredentials(directory, environment);
  return { ok: true, desk: { credentials, surroundings, catalogue: source.open(), configuration } };
}

async function login(desk: Desk, provider: string, flags: Flags): Promise<number> {
  const { catalogue, configuration, credentials, surroundings } = desk;
  const row = catalogue.provider(provider);
  if (row === undefined && configuration.providers[provider] === undefined) return unknownProvider(desk, provider);
  if (row?.local !== undefined) return usage(`${row.name} runs on this machine and needs no key.`);
  const key = (await readSecret(`API key for ${row?.name ?? provider}: `)).trim();
  if (key === "") return usage("No key was given. Type it, or pipe it in.");
  if (flags.noVerify !== true) {
    const checked = await checkProviderKey({
      provider,
      key,
      configuration,
      catalogue,
      environment: surroundings.environment,
    });
    if (checked.kind === "rejected") {
      writeDiagnostic(
        `kedge: ${provider} rejected the key (status ${checked.status}), and it was not stored. --no-verify stores it all the same.`,
      );
      return exitCodes.error;
    }
    if (checked.kind === "unchecked") writeDiagnostic(`kedge: The key could not be checked: ${checked.reason}.`);
  }
  const storage = credentials.store(provider, key);
  const where = storage === "keyring" ? "the keyring of the system" : "a file that only you can read";
  writeResult(`The key for ${provider} is kept in ${where}.\n`);
  const overriding = credentials.overriding(provider, row?.keys ?? []);
  if (overriding !== undefined) writeDiagnostic(`kedge: ${overriding} is set and is used in its place.`);
  return exitCodes.success;
}

function logout({ credentials }: Desk, provider: string): number {
  if (credentials.remove(provider)) {
    writeResult(`The key for ${provider} is removed.\n`);
    return exitCodes.success;
  }
  writeDiagnostic(`kedge: No key is stored for ${JSON.stringify(provider)}. kedge auth list shows what is.`);
  return exitCodes.error;
}

type Listed = { readonly provider: string; readonly storage: string; readonly inUse: boolean };

/** Stored keys, and variables that hold one for a vendor of the catalogue. Never the keys themselves. */
function list({ credentials, catalogue, surroundings }: Desk, { json }: Flags): number {
  const keysOf = (provider: string) => catalogue.provider(provider)?.keys ?? [];
  const stored = credentials.list().map(({ provider, storage }): Listed => {
    return { provider, storage, inUse: credentials.overriding(provider, keysOf(provider)) === undefined };
  });
  const variables = catalogue.ids().flatMap((provider): Listed[] => {
    const variable = keysOf(provider).find((name) => (surroundings.environment[name] ?? "") !== "");
    return variable === undefined ? [] : [{ provider, storage: variable, inUse: true }];
  });
  const all = [...stored, ...variables];
  if (json) writeResult(`${JSON.stringify(all)}\n`);
  else if (all.length === 0) writeDiagnostic("kedge: There is no key yet. kedge auth login <provider> stores one.");
  else {
    const width = Math.max(...all.map(({ provider }) => provider.length));
    const lines = all.map(
      ({ provider, storage, inUse }) => `${provider.padEnd(width)}  ${storage}${inUse ? "" : " (not used)"}\n`,
    );
    writeResult(lines.join(""));
  }
  return exitCodes.success;
}

function unknownProvider({ catalogue, configuration }: Desk, provider: string): number {
  const known = [...Object.keys(configuration.providers), ...catalogue.ids()];
  const nearest = nearNames(provider, known, { countMax: 1 })[0];
  const hint = nearest === undefined ? "kedge models --all lists them." : `Did you mean ${nearest}?`;
  writeDiagnostic(`kedge: There is no provider ${JSON.stringify(provider)}. ${hint}`);
  return exitCodes.error;
}
