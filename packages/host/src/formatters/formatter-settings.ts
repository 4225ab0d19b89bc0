/** The settings of formatters: which run after a write, on which files, and how they are started. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { flag, list, object, record, said, text } from "../configuration/checks.ts";
import { falseOr } from "../configuration/false-or.ts";
import { allowed, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** False where no formatter runs; otherwise entries by name of the formatter. */
export type FormatterSettings = false | JsonObject;

const entry = object({
  disabled: said("Whether this formatter is not used.", flag, false),
  command: said("Program and arguments with $FILE for the file, in place of what kedge knows.", list(text)),
  extensions: said("File extensions that it formats.", list(text)),
  env: said("Variables of its environment, beside those that all have.", record(text)),
});

export const formatterSettings: SettingDeclarations = {
  formatter: {
    check: said("Formatters by name that run after a write, or false for none.", falseOr(record(entry))),
    project: allowed,
    counts: "at start",
  },
};

/** Every value was read from JSON, and checked when its file was read. */
export function readFormatterSettings(value: unknown): FormatterSettings {
  return value === false ? false : isJsonObject(value) ? (value as JsonObject) : {};
}
