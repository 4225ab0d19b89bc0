/** Reads a script for the script check: from a file, or from a public address as webfetch would. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { reasonOf } from "@kedge/protocol";
import { judgeUrl } from "@kedge/sandbox";
import { fetchPage, readWebAddress, type WebParts } from "@kedge/tools";

export type ScriptText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

export const scriptBytesMax = 1024 * 1024;
const timeoutMs = 5_000;

/** The look-up of names is the machine's own if left out. */
export type ScriptParts = Pick<WebParts, "now"> & Partial<Pick<WebParts, "judgeAddress" | "lookUp" | "ca">>;

export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** A pipe or a device could be read without an end, so only files are. */
export function readScriptFile(path: string): ScriptText {
  try {
    // Opening a pipe without a writer would wait.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      if (!fstatSync(file).isFile()) return unreadable(`${path} is not a file.`);
      if (size > scriptBytesMax) return unreadable(tooLarge(path));
      const bytes = Buffer.alloc(scriptBytesMax + 1);
      return scriptOf(path, bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return unreadable(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

export async function fetchScript(address: string, parts: ScriptParts): Promise<ScriptText> {
  const { judgeAddress = (url, addresses) => judgeUrl({ url, ...(addresses !== undefined && { addresses }) }) } = parts;
  const read = readWebAddress(address, judgeAddress);
  if (!read.ok) return unreadable(read.problem);
  const signal = AbortSignal.timeout(timeoutMs);
  const fetched = await fetchPage(read.url, { ...parts, judgeAddress }, signal);
  switch (fetched.kind) {
    case "page":
      return scriptOf(address, fetched.page.body);
    case "moved":
      return unreadable(`${address} redirects to another host: ${fetched.to}. Check that URL if you trust it.`);
    case "failed":
      return unreadable(signal.aborted ? `${address} did not respond within 5 seconds.` : fetched.problem);
  }
}

export function scriptOf(name: string, bytes: Buffer): ScriptText {
  if (bytes.length > scriptBytesMax) return unreadable(tooLarge(name));
  if (bytes.includes(0)) return unreadable(`${name} is not text.`);
  return { ok: true, text: bytes.toString("utf8") };
}

function tooLarge(name: string): string {
  return `${name} is larger than ${scriptBytesMax / 1024 / 1024} MB.`;
}

function unreadable(problem: string): ScriptText {
  return { ok: false, problem };
}
