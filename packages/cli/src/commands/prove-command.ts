/** `kedge prove`: writes the proof bundle of a session, and checks one. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { bundleText, checkedText, checkProof, makeProof, readBundle } from "@kedge/host/proof";
import { reasonOf, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { findSession } from "../opening/find-session.ts";
import { type OpenedCheckout, openCheckoutOrTell } from "../opening/open-checkout.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { proveTexts } from "../texts/work.ts";

export async function runProveCommand([target, ...rest]: readonly string[], flags: Flags): Promise<number> {
  if (rest.length > 0 || (flags.check && target === undefined)) {
    writeNotice(proveTexts.usage);
    return exitCodes.usage;
  }
  using opened = await openCheckoutOrTell(flags);
  if (opened === undefined) return exitCodes.error;
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { started } = outcome;
  try {
    return flags.check && target !== undefined
      ? await check(target, { opened, started, flags })
      : await write(target, { opened, started, flags });
  } finally {
    await started.kedge.close();
  }
}

type Parts = { readonly opened: OpenedCheckout; readonly started: Started; readonly flags: Flags };

async function write(target: string | undefined, { opened, started, flags }: Parts): Promise<number> {
  const { client, store, sessionFiles } = started.kedge;
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const found = await findSession(client, choice, started.cwd);
  const redactor = await sessionFiles.redactor();
  if (!found.ok || !redactor.ok) {
    if (!found.ok) writeDiagnostic(failureText(found.failure));
    else if (!redactor.ok) writeDiagnostic(failureText(redactor.failure));
    return exitCodes.error;
  }
  const { sessionId } = found.session;
  const order = {
    ...{ sessionId, store, redact: redactor.redact, kedgeVersion: version, now: Date.now, randomBytes },
    ...(flags.base !== undefined && { base: flags.base }),
  };
  const made = await makeProof(order, opened.site);
  if (!made.ok) {
    writeDiagnostic(failureText(made.failure));
    return exitCodes.error;
  }
  const path = flags.file ?? `proof-${sessionId}.json`;
  try {
    writeFileSync(resolve(started.cwd, path), `${JSON.stringify(made.value, undefined, 2)}\n`);
  } catch (error) {
    writeNotice(proveTexts.notWritten(path, reasonOf(error)));
    return exitCodes.error;
  }
  const text = showTerminalControls(bundleText(made.value, path));
  writeResult(flags.json ? `${JSON.stringify({ path, bundle: made.value })}\n` : `${text}\n`);
  return exitCodes.success;
}

async function check(path: string, { opened, started, flags }: Parts): Promise<number> {
  let content: string;
  try {
    content = readFileSync(resolve(started.cwd, path), "utf8");
  } catch (error) {
    writeNotice(proveTexts.unreadable(path, reasonOf(error)));
    return exitCodes.error;
  }
  const bundle = readBundle(content);
  const checked = bundle.ok
    ? await checkProof(bundle.value, opened.site, {
        store: started.kedge.store,
        signal: opened.signal,
        onLine: (line) => {
          if (!flags.json) writeResult(`${showTerminalControls(checkedText(line))}\n`);
        },
      })
    : bundle;
  if (!checked.ok) {
    writeDiagnostic(failureText(checked.failure));
    return opened.signal.aborted ? exitCodes.interrupted : exitCodes.error;
  }
  if (flags.json) writeResult(`${JSON.stringify({ lines: checked.value })}\n`);
  return checked.value.some(({ verdict }) => verdict === "does not hold") ? exitCodes.error : exitCodes.success;
}
