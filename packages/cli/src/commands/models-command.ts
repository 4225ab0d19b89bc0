/** `kedge models [provider]`: which models can be used, how large they are and what they cost. */
import {
  createModelCatalogue,
  type ListedModel,
  type ListedProvider,
  listKnownModels,
  openCredentials,
  openNetwork,
} from "@kedge/host";
import { type Failure, nearNames } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { modelTexts } from "../texts/accounts.ts";
import { modelsText } from "./models-text.ts";

/** `--all` also lists what still lacks a key, `--refresh` asks for the newest list first. */
export async function runModelsCommand([wanted, extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(modelTexts.doesNotAccept(JSON.stringify(extra)));
    return exitCodes.usage;
  }
  const controller = new AbortController();
  using _signals = onEndSignal(() => controller.abort());
  const known = await findModels(flags, readSurroundings(), controller.signal);
  if (!known.ok) {
    writeDiagnostic(failureText(known.failure));
    return exitCodes.error;
  }
  if (controller.signal.aborted) return exitCodes.interrupted;
  return show(known.providers, { wanted, flags });
}

type Known =
  | { readonly ok: true; readonly providers: readonly ListedProvider[] }
  | { readonly ok: false; readonly failure: Failure };

async function findModels(flags: Flags, surroundings: Surroundings, signal: AbortSignal): Promise<Known> {
  const { environment, userDirectory } = surroundings;
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) return opened;
  const { home, configuration } = opened;
  const source = createModelCatalogue({
    home: home.directory,
    environment,
    setting: configuration.catalogue,
    network: openNetwork(configuration.network, { environment, userDirectory }),
  });
  if (flags.refresh) {
    const refreshed = await source.refresh({ signal, force: true });
    if (refreshed.kind === "kept" && !signal.aborted) writeNotice(modelTexts.notRefreshed(refreshed.reason));
  }
  const credentials = openCredentials(home.directory, environment);
  const providers = await listKnownModels({
    providers: configuration.providers,
    catalogue: source.open(),
    environment,
    keyOf: (provider, variables) => credentials.find(provider, variables)?.key,
    hasAccount: (provider) => credentials.account(provider) !== undefined,
    signal,
  });
  return { ok: true, providers };
}

type Wish = { readonly wanted: string | undefined; readonly flags: Flags };

function show(providers: readonly ListedProvider[], { wanted, flags }: Wish): number {
  const named = wanted === undefined ? providers : providers.filter(({ id }) => id === wanted);
  if (wanted !== undefined && named.length === 0) {
    const known = providers.map(({ id }) => id);
    const nearest = nearNames(wanted, known, { countMax: 1 })[0];
    const hint = nearest === undefined ? "" : modelTexts.guess(nearest);
    writeNotice(modelTexts.unknownProvider(JSON.stringify(wanted), hint));
    return exitCodes.error;
  }
  const shown = flags.all || wanted !== undefined ? named : named.filter(({ missing }) => missing === undefined);
  const verbose = flags.verbose === true;
  if (flags.json) writeResult(`${JSON.stringify(shown.flatMap((provider) => entriesOf(provider, { verbose })))}\n`);
  else writeResult(modelsText(shown, { verbose }));
  if (shown.every(({ models }) => models.length === 0)) writeNotice(nothingToShow(wanted === undefined ? [] : shown));
  return exitCodes.success;
}

function entriesOf(provider: ListedProvider, { verbose }: { readonly verbose: boolean }) {
  const { api, package: packageName, tested, missing } = provider;
  const usable = missing === undefined;
  const more = verbose ? { api, package: packageName, tested, missing: missing?.recovery } : {};
  return provider.models.map((model: ListedModel) => ({ ...model, usable, ...more }));
}

/** About the one provider that was asked for, or about all of them. */
function nothingToShow(shown: readonly ListedProvider[]): string {
  const missing = shown.map((provider) => provider.missing).find((each) => each !== undefined);
  if (missing !== undefined) return failureText(missing);
  return shown.length === 0 ? modelTexts.noneUsable : modelTexts.notListed;
}
