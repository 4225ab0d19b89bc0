/** The settings of language servers: which run, how they are started, and what they are told. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { flag, list, number, object, record, said, satisfies, text } from "../configuration/checks.ts";
import { falseOr } from "../configuration/false-or.ts";
import { allowed, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** False where no language server runs; otherwise entries by name of the server. */
export type LspSettings = false | JsonObject;

const anyObject = satisfies("an object", { type: "object" }, isJsonObject);

const entry = object({
  disabled: said("Disable this server.", flag, false),
  command: said("Command and arguments, replacing the built-in ones.", list(text)),
  extensions: said("File extensions it handles.", list(text)),
  env: said("Additional environment variables.", record(text)),
  initialization: said("Initialization options.", anyObject),
  settings: said("Configuration by section, sent when the server asks for it.", anyObject),
  startupTimeout: said("Startup timeout in milliseconds.", number({ min: 100, max: 120_000 }), 20_000),
});

export const lspSettings: SettingDeclarations = {
  lsp: {
    check: said("Language servers by name; false disables all.", falseOr(record(entry))),
    project: allowed,
    counts: "at start",
  },
};

/** Every value was read from JSON, and checked when its file was read. */
export function readLspSettings(value: unknown): LspSettings {
  return value === false ? false : isJsonObject(value) ? (value as JsonObject) : {};
}
