/** Texts that lie beside their module: reading them, and filling their slots. */
import { readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The bundler puts the text itself in place of the call. Call it as `textBeside(import.meta.url, "./name.md")` with a literal name, so that the bundler can see it. */
export function textBeside(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), "utf8").trimEnd();
}

/** A program that is started as a process of its own: a file, or in the built program its whole text. */
export type ProgramText = { readonly path: string } | { readonly text: string };

/** The bundler puts the bundled program in place of the call. Call it as `programBeside(import.meta.url, "./name.ts")`. */
export function programBeside(moduleUrl: string, name: string): ProgramText {
  return { path: fileURLToPath(new URL(name, moduleUrl)) };
}

/** Puts values in place of `${name}`; a slot without a value is a bug. */
export function fillSlots(template: string, slots: { readonly [name: string]: string }): string {
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new Error(`the slot ${name} has no value`);
    return value;
  });
}

/** The bytes of an opened file as far as it goes, also when it has become shorter since somebody looked at its size. */
export function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(file, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
