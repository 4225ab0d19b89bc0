/** `kedge providers …`: installs the packages that speak to further vendors, and lists them. */

import {
  homeDirectory,
  type InstalledPackage,
  installPackage,
  listInstalledPackages,
  parseWantedPackage,
} from "@kedge/host";
import { stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { providerTexts } from "../texts/accounts.ts";

export async function runProvidersCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [action = "list", ...targets] = words;
  const { environment, userDirectory } = readSurroundings();
  const place = { kedgeHome: homeDirectory(environment, userDirectory), environment };
  const json = flags.json === true;
  if (action === "list" && targets.length === 0) return list(place.kedgeHome, { json });
  if (action === "install" && targets.length === 1) return install(targets[0] ?? "", place, { json });
  writeNotice(providerTexts.usage);
  return exitCodes.usage;
}

function list(kedgeHome: string, { json }: { readonly json: boolean }): number {
  const packages = listInstalledPackages(kedgeHome);
  if (json) writeResult(`${JSON.stringify(packages)}\n`);
  else if (packages.length === 0) writeDiagnostic(providerTexts.none);
  else writeResult(packages.map((each) => `${describe(each)}\n`).join(""));
  return exitCodes.success;
}

type Place = { readonly kedgeHome: string; readonly environment: { readonly [name: string]: string | undefined } };

async function install(target: string, place: Place, { json }: { readonly json: boolean }): Promise<number> {
  const wanted = parseWantedPackage(target);
  if (typeof wanted === "string") {
    writeNotice(stripTerminalControls(wanted));
    return exitCodes.usage;
  }
  const controller = new AbortController();
  using _signals = onEndSignal(() => controller.abort());
  const outcome = await installPackage(wanted, { ...place, report: writeDiagnostic }, controller.signal);
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.failure.code === "aborted" ? exitCodes.interrupted : exitCodes.error;
  }
  const { installed } = outcome;
  writeResult(
    json ? `${JSON.stringify(installed)}\n` : providerTexts.installed(installed.packageName, installed.version),
  );
  return exitCodes.success;
}

function describe({ packageName, version, provider }: InstalledPackage): string {
  return `${packageName} ${version}${provider === undefined ? "" : ` (${provider})`}`;
}
