/** Texts that lie beside their module: reading them, and filling their slots. */
import { readFileSync, readSync } from "node:fs";

/** The bundler puts the text itself in place of the call. Call it as `textBeside(import.meta.url, "./name.md")` with a literal name, so that the bundler can see it. */
export function textBeside(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), "utf8").trimEnd();
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
