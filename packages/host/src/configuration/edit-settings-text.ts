/** Changes one value in the text of a settings file and leaves everything else in it, comments too, as it is. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { editJsonText } from "./edit-json-text.ts";
import { editYamlText } from "./edit-yaml-text.ts";
import { repeatedJsonKey, repeatedYamlKey } from "./repeated-key.ts";
import { isYaml, type Settings, withoutByteOrderMark } from "./setting-file.ts";
import type { SettingPath } from "./setting-path.ts";

export type EditText = {
  /** Undefined when the text is no object, or broken. */
  readonly parse: (text: string) => Settings | undefined;
  /** Without a value the setting is taken out. Undefined when the text has a form that cannot be changed here. */
  readonly edit: (text: string, path: SettingPath, value: Json | undefined) => string | undefined;
};

/** The parser is loaded before anything is read, so that reading, changing and writing can happen in one go. */
export async function openEditor(file: string): Promise<EditText> {
  const { parse, edit } = isYaml(file) ? yamlEditor(await import("yaml")) : jsonEditor(await import("jsonc-parser"));
  return {
    parse: (text) => parse(withoutByteOrderMark(text)),
    edit(text, path, value) {
      const plain = withoutByteOrderMark(text);
      const edited = edit(plain, path, value);
      return edited === undefined ? undefined : text.slice(0, text.length - plain.length) + edited;
    },
  };
}

function jsonEditor(parser: typeof import("jsonc-parser")): EditText {
  return {
    parse(text) {
      const errors: import("jsonc-parser").ParseError[] = [];
      const value: unknown = parser.parse(text.trim() === "" ? "{}" : text, errors, { allowTrailingComma: true });
      const isSound = errors.length === 0 && repeatedJsonKey(text) === undefined;
      return isSound && isJsonObject(value) ? value : undefined;
    },
    edit: (text, path, value) => editJsonText(parser, text.trim() === "" ? "{}\n" : text, path, value),
  };
}

function yamlEditor(parser: typeof import("yaml")): EditText {
  return {
    parse(text) {
      const document = parser.parseDocument(text);
      if (document.errors.length > 0 || repeatedYamlKey(document, parser) !== undefined) return undefined;
      try {
        const value: unknown = document.toJS() ?? {};
        return isJsonObject(value) ? value : undefined;
      } catch (error) {
        // A reference to nothing, or to more than fits into memory.
        if (error instanceof ReferenceError) return undefined;
        throw error;
      }
    },
    edit: (text, path, value) => editYamlText(parser, text, path, value),
  };
}
