/** The settings of formatters: which run after a write, on which files, and how they are started. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { flag, list, object, record, said, text } from "../configuration/checks.ts";
import { falseOr } from "../configuration/false-or.ts";
import { allowed, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** False where no formatter runs; otherwise entries by name of the formatter. */
export type FormatterSettings = false | JsonObject;

const entry = object({
  disabled: said("Disable this formatter.", flag, false),
  command: said("Command with $FILE for the file, replacing the built-in one.", list(text)),
  extensions: said("File extensions to format.", list(text)),
  env: said("Additional environment variables.", record(text)),
});

export const formatterSettings: SettingDeclarations = {
  formatter: {
    check: said("Formatters to run after a write, by name; false disables all.", falseOr(record(entry))),
    project: allowed,
    counts: "at start",
  },
};

/** Every value was read from JSON, and checked when its file was read. */
export function readFormatterSettings(value: unknown): FormatterSettings {
  return value === false ? false : isJsonObject(value) ? (value as JsonObject) : {};
}
