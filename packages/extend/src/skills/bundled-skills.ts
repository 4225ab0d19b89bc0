/** The skills that come with kedge. */
import { textBeside } from "@kedge/protocol/text-file";
import type { Definition } from "../definitions/definition.ts";
import { makeDefinition } from "../definitions/make-definition.ts";

const texts = {
  commit: () => textBeside(import.meta.url, "./bundled/commit.md"),
  debug: () => textBeside(import.meta.url, "./bundled/debug.md"),
  loop: () => textBeside(import.meta.url, "./bundled/loop.md"),
  permissions: () => textBeside(import.meta.url, "./bundled/permissions.md"),
  remember: () => textBeside(import.meta.url, "./bundled/remember.md"),
  simplify: () => textBeside(import.meta.url, "./bundled/simplify.md"),
  statusline: () => textBeside(import.meta.url, "./bundled/statusline.md"),
  stuck: () => textBeside(import.meta.url, "./bundled/stuck.md"),
  verify: () => textBeside(import.meta.url, "./bundled/verify.md"),
};

export function isBundledName(name: string): boolean {
  return Object.hasOwn(texts, name);
}

const place = { source: "kedge", tier: "bundled", folder: "skill://" } as const;

export function bundledSkills(): readonly Definition[] {
  return Object.entries(texts).map(([name, textOf]) => {
    const made = makeDefinition({
      kind: "skill",
      place,
      file: `skill://${name}`,
      directory: "",
      text: textOf(),
      nameOfFile: name,
    });
    if (!made.ok) throw new Error(`the bundled skill ${name}: ${made.why}`);
    return made.definition;
  });
}
