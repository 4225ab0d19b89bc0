/** Changes one value in the text of a settings file and leaves everything else in it, comments too, as it is. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { isYaml, type Settings } from "./setting-file.ts";
import type { SettingPath } from "./setting-path.ts";

export type EditText = {
  /** Undefined when the text is no object, or broken. */
  readonly parse: (text: string) => Settings | undefined;
  /** Without a value the setting is taken out. */
  readonly edit: (text: string, path: SettingPath, value: Json | undefined) => string;
};

/** The parser is loaded before anything is read, so that reading, changing and writing can happen in one go. */
export async function openEditor(file: string): Promise<EditText> {
  return isYaml(file) ? yamlEditor(await import("yaml")) : jsonEditor(await import("jsonc-parser"));
}

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

function jsonEditor({ applyEdits, modify, parse }: typeof import("jsonc-parser")): EditText {
  return {
    parse(text) {
      const errors: import("jsonc-parser").ParseError[] = [];
      const value: unknown = parse(text.trim() === "" ? "{}" : text, errors, { allowTrailingComma: true });
      return errors.length === 0 && isJsonObject(value) ? value : undefined;
    },
    edit: (text, path, value) => {
      const before = text.trim() === "" ? "{}\n" : text;
      return applyEdits(before, modify(before, [...path], value, formatting));
    },
  };
}

function yamlEditor({ parseDocument }: typeof import("yaml")): EditText {
  return {
    parse(text) {
      const document = parseDocument(text);
      const value: unknown = document.errors.length === 0 ? (document.toJS() ?? {}) : undefined;
      return isJsonObject(value) ? value : undefined;
    },
    edit(text, path, value) {
      const document = parseDocument(text);
      if (value === undefined) document.deleteIn([...path]);
      else document.setIn([...path], document.createNode(value));
      // A width of 0 keeps long lines as they are.
      return document.toString({ lineWidth: 0 });
    },
  };
}
