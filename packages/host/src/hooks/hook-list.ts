/** Hooks as data and as lines for people: what is captured, where it stands, and what is wrong with it. */
import type { Hook } from "@kedge/extend/hooks";

export type ListedHook = {
  readonly event: string;
  readonly matcher: string;
  readonly type: Hook["action"]["type"];
  readonly does: string;
  readonly scope: Hook["scope"];
  readonly dialect: Hook["dialect"];
  readonly file: string;
  readonly name: string;
};

export function listHooks(hooks: readonly Hook[]): readonly ListedHook[] {
  return hooks.map(({ event, matcher = "*", action, scope, dialect, file, name }) => {
    return { event, matcher, type: action.type, does: doneBy(action), scope, dialect, file, name };
  });
}

function doneBy(action: Hook["action"]): string {
  switch (action.type) {
    case "command":
      return [action.command, ...(action.args ?? [])].join(" ");
    case "http":
      return action.url;
    case "mcp_tool":
      return `${action.server} ${action.tool}`;
    case "prompt":
    case "agent":
      return action.prompt;
  }
}

const shownCharactersMax = 100;

export function hookLines(hooks: readonly ListedHook[]): string {
  if (hooks.length === 0) return "No hooks.";
  return [...Map.groupBy(hooks, ({ event }) => event)]
    .map(([event, group]) => {
      const lines = group.map(({ matcher, type, does, scope, file }) => {
        const text = does.replaceAll(/\s+/g, " ");
        const shown = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
        return `  ${matcher}  ${type}  ${shown}  (${scope}, ${file})`;
      });
      return [event, ...lines].join("\n");
    })
    .join("\n");
}
