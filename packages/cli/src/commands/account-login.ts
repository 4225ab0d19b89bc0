/** `kedge auth login` with an account: who pays is said first, then where to go, then the wait for the person. */
import { createInterface } from "node:readline/promises";
import type { MethodId, SignInDesk, SignInMethod } from "@kedge/host/sign-in";
import { stripTerminalControls } from "@kedge/protocol";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { loginTexts } from "../texts/accounts.ts";

export type ChosenMethod = { readonly kind: "key" } | { readonly kind: "account"; readonly method: SignInMethod };

/** Undefined when nobody chose. Where nobody can be asked, a key is what was meant. */
export async function chooseMethod(methods: readonly SignInMethod[]): Promise<ChosenMethod | undefined> {
  if (methods.length === 0 || !process.stdin.isTTY) return { kind: "key" };
  const rows = [loginTexts.key, ...methods.map(({ label }) => label)];
  for (const [at, row] of rows.entries()) writeDiagnostic(`  ${at + 1}  ${row}`);
  const answer = await askLine(loginTexts.question(rows.length));
  const at = /^\d$/.test(answer) ? Number(answer) - 1 : -1;
  const method = methods[at - 1];
  if (at === 0) return { kind: "key" };
  return method === undefined ? undefined : { kind: "account", method };
}

export async function logInWithAccount(desk: SignInDesk, provider: string, id: MethodId): Promise<number> {
  const method = desk.methods(provider).find((each) => each.id === id);
  if (method !== undefined && method.missing === undefined) {
    writeNotice(stripTerminalControls(method.notice));
    // Whoever named the method in a script has decided.
    if (process.stdin.isTTY && !/^y(?:es)?$/i.test(await askLine(loginTexts.continue))) return exitCodes.interrupted;
  }
  const begun = await desk.begin(provider, id);
  if (!begun.ok) return failed(begun.sentence);
  if (begun.url !== undefined) {
    writeNotice(loginTexts.open(stripTerminalControls(begun.url)));
    if (begun.code !== undefined) writeNotice(loginTexts.enterCode(stripTerminalControls(begun.code)));
  }
  let isInterrupted = false;
  using _signals = onEndSignal(() => {
    isInterrupted = true;
    desk.close();
  });
  const finished = await desk.finish(begun.signInId);
  if (isInterrupted) return exitCodes.interrupted;
  if (finished?.isSignedIn !== true) return failed(finished?.sentence ?? loginTexts.canceled);
  writeResult(`${stripTerminalControls(finished.sentence)}\n`);
  return exitCodes.success;
}

function failed(sentence: string): number {
  writeNotice(stripTerminalControls(sentence));
  return exitCodes.error;
}

/** Empty when the input ends or the user gives up. */
async function askLine(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  reader.once("close", () => ended.abort());
  try {
    return (await reader.question(question, { signal: ended.signal })).trim();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return "";
    throw error;
  } finally {
    reader.close();
  }
}
