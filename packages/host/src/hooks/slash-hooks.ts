/** `/hooks`: what runs in this session, what is wrong with it, and what changed on the disk since. */
import type { Json } from "@kedge/protocol";
import { codeLines } from "../code/code-lines.ts";
import type { OpenedCode } from "../code/open-code.ts";
import { hookLines, listHooks } from "./hook-list.ts";
import type { LeftHooks } from "./hook-places.ts";
import type { OpenedHooks } from "./open-hooks.ts";

/** Undefined where nobody wrote any. */
export type SlashHooks = {
  readonly opened: OpenedHooks | undefined;
  /** Custom tools and plugins. */
  readonly code?: OpenedCode | undefined;
  /** Those that were found and do not count. */
  readonly left?: readonly LeftHooks[];
};

export function runSlashHooks({ opened, code, left = [] }: SlashHooks): { readonly text: string; readonly data: Json } {
  const unused = left.map(({ file, why }) => `${file}: not used: ${why}.`);
  if (opened === undefined && code === undefined && left.length > 0)
    return { text: ["No hooks.", "", ...unused].join("\n"), data: { hooks: [], left: dataOf(left) } };
  if (opened === undefined && code === undefined) {
    return {
      text: "No hooks. Add them under hooks in ~/.kedge/config.json or .kedge/config.json.",
      data: { hooks: [] },
    };
  }
  const hooks = listHooks(opened?.hooks ?? []);
  const changed = opened?.changed() ?? [];
  const problems = [...(opened?.problems ?? []), ...(code?.problems ?? [])];
  const listed = code?.listed() ?? [];
  const notes = [
    ...problems,
    ...unused,
    ...changed.map((path) => `${path} changed since startup. Restart kedge to use the new hooks.`),
  ];
  const text = [
    hookLines(hooks),
    ...(listed.length > 0 ? ["", "Tools and plugins", ...codeLines(listed)] : []),
    ...(code?.metadata ?? []).map((path) => `${path}  (listed only, never run)`),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
  return {
    text,
    data: {
      hooks: hooks.map((hook) => ({ ...hook })),
      ...(listed.length > 0 && { code: listed.map((each) => ({ ...each })) }),
      problems,
      changed: [...changed],
      ...(left.length > 0 && { left: dataOf(left) }),
    },
  };
}

function dataOf(left: readonly LeftHooks[]): Json {
  return left.map((each) => ({ ...each }));
}
