/** `kedge auth login|logout|list|status`: stores and removes keys and accounts of providers, and says which there are. */
import {
  type Configuration,
  type Credentials,
  checkProviderKey,
  createModelCatalogue,
  openCredentials,
  openNetwork,
} from "@kedge/host";
import { methodIds, openSignInDesk, readAccountRecord, type SignInDesk } from "@kedge/host/sign-in";
import { type Failure, nearNames, stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { authTexts } from "../texts/accounts.ts";
import { chooseMethod, logInWithAccount } from "./account-login.ts";

const actions = ["login", "logout", "list", "status"] as const;

export async function runAuthCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [word, provider, third, fourth] = words;
  const action = actions.find((each) => each === word);
  if (action === undefined) return usage(authTexts.needsAction(actions.join(", ")));
  const extra = action === "login" && isMethod(third) ? fourth : third;
  if (extra !== undefined) return usage(authTexts.doesNotAccept(action, JSON.stringify(extra)));
  if (action === "list" && provider !== undefined) return usage(authTexts.listDoesNotAccept(JSON.stringify(provider)));
  const opened = await openDesk(flags, readSurroundings());
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { desk } = opened;
  if (action === "list" || (action === "status" && provider === undefined)) return list(desk, flags);
  if (provider === undefined) return usage(authTexts.needsProvider(action));
  switch (action) {
    case "login":
      return login(desk, provider, { method: third, flags });
    case "logout":
      return logout(desk, provider);
    case "status":
      return status(desk, provider, flags);
  }
}

/** A key is the method of every provider. */
const keyMethod = "key";

function isMethod(word: string | undefined): boolean {
  return [keyMethod, ...methodIds].some((each) => each === word);
}

function usage(sentence: string): number {
  writeNotice(sentence);
  return exitCodes.usage;
}

/** What the actions need. */
type Desk = {
  readonly credentials: Credentials;
  readonly surroundings: Surroundings;
  readonly catalogue: ReturnType<ReturnType<typeof createModelCatalogue>["open"]>;
  readonly network: ReturnType<typeof openNetwork>;
  readonly configuration: Configuration;
  readonly signIns: SignInDesk;
};

type OpenedDesk = { readonly ok: true; readonly desk: Desk } | { readonly ok: false; readonly failure: Failure };

async function openDesk(flags: Flags, surroundings: Surroundings): Promise<OpenedDesk> {
  const { environment, userDirectory } = surroundings;
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) return opened;
  const { configuration } = opened;
  const { directory } = opened.home;
  const network = openNetwork(configuration.network, { environment, userDirectory });
  const source = createModelCatalogue({ home: directory, environment, setting: configuration.catalogue, network });
  const credentials = openCredentials(directory, environment);
  const signIns = openSignInDesk({
    ...{ home: directory, environment, userDirectory, network, kedgeVersion: version },
    settings: () => configuration.signIn,
    now: Date.now,
    // Nothing of this process is a text that could hold a token.
    onKey: () => {},
    onSignedIn: () => {},
  });
  return { ok: true, desk: { credentials, surroundings, catalogue: source.open(), network, configuration, signIns } };
}

/** What a header can carry. */
const sendable = /^[\x21-\x7e]+$/;

type Wish = { readonly method: string | undefined; readonly flags: Flags };

async function login(desk: Desk, provider: string, { method: wanted, flags }: Wish): Promise<number> {
  const { catalogue, configuration, signIns } = desk;
  const row = catalogue.provider(provider);
  const isConfigured = Object.hasOwn(configuration.providers, provider);
  if (row === undefined && !isConfigured) return unknownProvider(desk, provider);
  if (row?.local !== undefined) return usage(authTexts.localNeedsNoKey(row.name));
  if (wanted === keyMethod) return storeKey(desk, provider, flags);
  const named = methodIds.find((each) => each === wanted);
  if (named !== undefined) return logInWithAccount(signIns, provider, named);
  const chosen = await chooseMethod(signIns.methods(provider));
  if (chosen === undefined) return usage(authTexts.noMethod);
  if (chosen.kind === "account") return logInWithAccount(signIns, provider, chosen.method.id);
  return storeKey(desk, provider, flags);
}

async function storeKey(desk: Desk, provider: string, flags: Flags): Promise<number> {
  const { catalogue, configuration, credentials, surroundings } = desk;
  const row = catalogue.provider(provider);
  const secret = await readSecret(authTexts.keyFor(row?.name ?? provider));
  if (secret.kind === "interrupted") return exitCodes.interrupted;
  if (secret.kind === "none") return usage(authTexts.noKeyEntered);
  const key = secret.text;
  if (!sendable.test(key)) return usage(authTexts.badKey);
  if (flags.noVerify !== true) {
    const checked = await checkProviderKey({
      provider,
      key,
      configuration,
      catalogue,
      network: desk.network,
      environment: surroundings.environment,
    });
    if (checked.kind === "rejected") {
      writeNotice(authTexts.rejected(provider, checked.status));
      return exitCodes.error;
    }
    if (checked.kind === "unchecked") writeNotice(authTexts.notVerified(checked.reason));
  }
  const storage = credentials.store(provider, key);
  const where = storage === "keyring" ? authTexts.keyring : authTexts.privateFile;
  writeResult(authTexts.saved(provider, where));
  const stronger = strongerSource(desk, provider);
  if (stronger !== undefined) writeNotice(authTexts.takesPrecedence(stronger));
  return exitCodes.success;
}

/** What holds another key for the provider and comes before the stored one. */
function strongerSource({ catalogue, configuration, credentials }: Desk, provider: string): string | undefined {
  const { providers } = configuration;
  const setting = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (setting?.apiKey !== undefined) return authTexts.keyInSettings;
  const variable = credentials.overriding(provider, catalogue.provider(provider)?.keys ?? []);
  return variable;
}

function logout({ credentials }: Desk, provider: string): number {
  const isAccount = credentials.account(provider) !== undefined;
  if (credentials.remove(provider)) {
    writeResult(authTexts.removed(isAccount ? authTexts.account : authTexts.key, provider));
    return exitCodes.success;
  }
  writeNotice(authTexts.noKey(JSON.stringify(provider)));
  return exitCodes.error;
}

type Listed = {
  readonly provider: string;
  readonly storage: string;
  readonly inUse: boolean;
  /** The method of a sign-in. */
  readonly account?: string;
};

/** Stored keys, and variables that hold one for a vendor of the catalogue. Never the keys themselves. */
function list(desk: Desk, { json }: Flags): number {
  const { credentials, catalogue, surroundings } = desk;
  const stored = credentials.list().map((each): Listed => {
    return { ...each, inUse: strongerSource(desk, each.provider) === undefined };
  });
  const variables = catalogue.ids().flatMap((provider): Listed[] => {
    const keys = catalogue.provider(provider)?.keys ?? [];
    const variable = keys.find((name) => (surroundings.environment[name] ?? "") !== "");
    return variable === undefined ? [] : [{ provider, storage: variable, inUse: true }];
  });
  const all = [...stored, ...variables];
  if (json) writeResult(`${JSON.stringify(all)}\n`);
  else if (all.length === 0) writeNotice(authTexts.noKeys);
  else {
    const width = Math.max(...all.map(({ provider }) => provider.length));
    const lines = all.map(
      ({ provider, storage, account, inUse }) =>
        `${provider.padEnd(width)}  ${account === undefined ? "" : authTexts.listedAccount(account)}${storage}${inUse ? "" : authTexts.notUsed}\n`,
    );
    writeResult(lines.join(""));
  }
  return exitCodes.success;
}

/** Of one provider, without asking anybody: what pays for its requests, and until when that holds. */
function status(desk: Desk, provider: string, { json }: Flags): number {
  const { credentials, catalogue, configuration } = desk;
  if (catalogue.provider(provider) === undefined && !Object.hasOwn(configuration.providers, provider))
    return unknownProvider(desk, provider);
  const stored = credentials.list().find((each) => each.provider === provider);
  const stronger = strongerSource(desk, provider);
  const account = credentials.account(provider);
  const record = account === undefined ? undefined : readAccountRecord(account.record);
  const { host } = record?.place ?? {};
  const endsAt = record?.endsAtMs === undefined ? undefined : new Date(record.endsAtMs).toISOString();
  if (json) {
    const listed = { provider, ...stored, inUse: stored !== undefined && stronger === undefined };
    writeResult(
      `${JSON.stringify({ ...listed, ...(host !== undefined && { host }), ...(endsAt !== undefined && { endsAt }) })}\n`,
    );
    return exitCodes.success;
  }
  const what =
    stored === undefined
      ? authTexts.nothingSaved
      : stored.account === undefined
        ? authTexts.keyIn(stored.storage)
        : authTexts.accountIn(stored.account, host, stored.storage);
  const until = endsAt === undefined ? "" : authTexts.tokenUntil(endsAt);
  writeResult(
    stripTerminalControls(
      `${provider}: ${what}${until}${stronger === undefined ? "" : authTexts.notUsedBecause(stronger)}`,
    ),
  );
  writeResult("\n");
  return exitCodes.success;
}

function unknownProvider({ catalogue, configuration }: Desk, provider: string): number {
  const known = [...Object.keys(configuration.providers), ...catalogue.ids()];
  const nearest = nearNames(provider, known, { countMax: 1 })[0];
  const hint = nearest === undefined ? authTexts.listProviders : authTexts.didYouMean(nearest);
  writeNotice(authTexts.unknownProvider(JSON.stringify(provider), hint));
  return exitCodes.error;
}
