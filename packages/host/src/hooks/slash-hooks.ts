/** `/hooks`: what runs in this session, what is wrong with it, and what changed on the disk since. */
import type { Json } from "@kedge/protocol";
import type { LeftHooks } from "./capture-hooks.ts";
import { hookLines, listHooks } from "./hook-list.ts";
import type { OpenedHooks } from "./open-hooks.ts";

/** Undefined where nobody wrote a hook. */
export type SlashHooks = {
  readonly opened: OpenedHooks | undefined;
  /** Those that were found and do not count. */
  readonly left?: readonly LeftHooks[];
};

export function runSlashHooks({ opened, left = [] }: SlashHooks): { readonly text: string; readonly data: Json } {
  const unused = left.map(({ file, why }) => `${file}: not used, because ${why}.`);
  if (opened === undefined && left.length > 0)
    return { text: ["No hooks.", "", ...unused].join("\n"), data: { hooks: [], left: dataOf(left) } };
  if (opened === undefined) return { text: "No hooks. docs/hooks.md says how to write one.", data: { hooks: [] } };
  const hooks = listHooks(opened.hooks);
  const changed = opened.changed();
  const notes = [
    ...opened.problems,
    ...unused,
    ...changed.map((path) => `${path} changed since the start; the hooks above still run. Restart kedge to review it.`),
  ];
  const text = [hookLines(hooks), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
  return {
    text,
    data: {
      hooks: hooks.map((hook) => ({ ...hook })),
      problems: [...opened.problems],
      changed: [...changed],
      ...(left.length > 0 && { left: dataOf(left) }),
    },
  };
}

function dataOf(left: readonly LeftHooks[]): Json {
  return left.map((each) => ({ ...each }));
}
