/** For `kedge config explain`: skills, commands, output styles and hooks that were found and do not count, with the reason. */
import { listDefinitions, openExtensions } from "@kedge/host/extensions";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { definitionTexts } from "../texts/setup.ts";

export type LeftDefinition = {
  readonly kind: string;
  /** Empty for a file that could not be read, and for hooks. */
  readonly name: string;
  readonly file: string;
  readonly why: string;
};

/** None where the settings cannot be read, of which whoever explains them tells. */
export async function leftDefinitions(flags: Flags): Promise<readonly LeftDefinition[]> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, { onNotice: () => {} });
  if (!opened.ok) return [];
  const { home, project, configuration } = opened;
  const extensions = await openExtensions({
    ...{ home, project, userDirectory: surroundings.userDirectory, now: Date.now },
    settings: configuration.extensions,
    plugins: configuration.plugins,
    disabledSources: configuration.instructions.disabledSources,
    onNotice: () => {},
    readFile: () => undefined,
  });
  const found = await Promise.all((["skill", "command", "style"] as const).map(extensions.find));
  const definitions = found
    .flatMap(listDefinitions)
    .filter(({ status }) => status !== "used")
    .map(({ kind, name, file, why }) => ({ kind, name, file, why }));
  const hooks = (configuration.hooks.left ?? []).map(({ file, why }) => ({ kind: "hook", name: "", file, why }));
  return [...definitions, ...hooks];
}

export function leftText(left: readonly LeftDefinition[]): string {
  return left
    .map(({ kind, name, file, why }) =>
      showTerminalControls(definitionTexts.left(kind, name === "" ? "" : ` ${name}`, file, why)),
    )
    .join("\n");
}
