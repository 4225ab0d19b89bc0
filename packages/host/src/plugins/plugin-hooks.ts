/** The hooks of enabled plugins, as one more place that hooks are captured from. */
import type { HookSource } from "@kedge/extend/hooks";
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { EnabledPlugin } from "./plugin-snapshot.ts";
import { pluginEnvironment, withVariables } from "./plugin-variables.ts";

/** They are the user's: nobody else installed them. */
export function pluginHooks(plugins: readonly EnabledPlugin[]): readonly HookSource[] {
  return plugins.flatMap((plugin) =>
    plugin.parts.hooks.map(
      ({ file, hooks }): HookSource => ({
        dialect: plugin.dialect,
        scope: "user",
        file: `plugin ${plugin.name}: ${file}`,
        hooks: mapHooks(hooks, (hook) => filled(hook, plugin)),
        plugin: { environment: pluginEnvironment(plugin) },
      }),
    ),
  );
}

/** A shell finds variables in its environment, where no value can become a command. Everything else is filled in here. */
function filled(hook: JsonObject, plugin: EnabledPlugin): JsonObject {
  const { command, args } = hook;
  const isShell = typeof command === "string" && args === undefined;
  const whole = withVariables(hook, plugin);
  if (!isShell) return whole;
  return {
    ...whole,
    command: command.replaceAll(/\$\{user_config\.(\w+)\}/g, (_, key: string) => `\${CLAUDE_PLUGIN_OPTION_${key}}`),
  };
}

/** Groups with their hooks, or hooks that stand alone. What has another form is left to whoever reads it. */
function mapHooks(events: JsonObject, change: (hook: JsonObject) => JsonObject): JsonObject {
  const changeHook = (hook: Json): Json => (isObject(hook) ? change(hook) : hook);
  const changeGroup = (group: Json): Json => {
    if (!isObject(group)) return group;
    const { hooks } = group;
    return Array.isArray(hooks) ? { ...group, hooks: hooks.map(changeHook) } : change(group);
  };
  return Object.fromEntries(
    Object.entries(events).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.map(changeGroup) : (groups ?? null),
    ]),
  );
}

/** What was read from JSON holds nothing else. */
function isObject(value: Json): value is JsonObject {
  return isJsonObject(value);
}
