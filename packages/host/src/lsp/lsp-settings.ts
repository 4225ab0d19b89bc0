/** The settings of language servers: which run, how they are started, and what they are told. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { flag, list, number, object, record, said, satisfies, text } from "../configuration/checks.ts";
import { falseOr } from "../configuration/false-or.ts";
import { allowed, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** False where no language server runs; otherwise entries by name of the server. */
export type LspSettings = false | JsonObject;

const anyObject = satisfies("an object", { type: "object" }, isJsonObject);

const entry = object({
  disabled: said("Whether this server is not used.", flag, false),
  command: said("Program and arguments, in place of what kedge knows.", list(text)),
  extensions: said("File extensions that it serves.", list(text)),
  env: said("Variables of its environment, beside those that all have.", record(text)),
  initialization: said("What it is told when it starts.", anyObject),
  settings: said("What it is told when it asks for its configuration, by section.", anyObject),
  startupTimeout: said("Milliseconds that its start may take.", number({ min: 100, max: 120_000 }), 20_000),
});

export const lspSettings: SettingDeclarations = {
  lsp: {
    check: said("Language servers by name, or false for none.", falseOr(record(entry))),
    project: allowed,
    counts: "at start",
  },
};

/** Every value was read from JSON, and checked when its file was read. */
export function readLspSettings(value: unknown): LspSettings {
  return value === false ? false : isJsonObject(value) ? (value as JsonObject) : {};
}
