/** The setting about agents of others that speak the Agent Client Protocol. */
import { isJsonObject } from "@kedge/protocol";
import { list, object, record, said, secretText, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type AcpAgentSetting = {
  readonly command: readonly string[];
  readonly description: string;
  readonly env: { readonly [name: string]: string };
  readonly writable: readonly string[];
};

export type AcpAgentSettings = { readonly [name: string]: AcpAgentSetting };

const agent = object({
  command: said("Command and arguments.", list(text)),
  description: said("When to use it, for the model.", text),
  env: said("Additional environment variables.", record(secretText)),
  writable: said("Directories that the agent may write to directly; default: none.", list(text)),
});

export const acpSettings: SettingDeclarations = {
  acpAgents: {
    check: said("Programs that speak the Agent Client Protocol, as agents by name.", record(agent)),
    project: ignored("a project may not choose which programs run"),
    counts: "at start",
  },
};

const nameForm = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Every value was checked when its file was read. Entries without a command are left out. */
export function readAcpSettings(value: unknown): AcpAgentSettings {
  const entries = Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, given]) => {
    const { command = [], description = "", env = {}, writable = [] } = given as Partial<AcpAgentSetting>;
    return nameForm.test(name) && command.length > 0
      ? [[name, { command, description: description || `Another agent: ${name}.`, env, writable }] as const]
      : [];
  });
  return Object.fromEntries(entries);
}
