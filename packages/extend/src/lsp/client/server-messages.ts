/** What kedge tells a language server it can do, and what it answers when the server asks. */
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { ClientCapabilities } from "vscode-languageserver-protocol";

/**
 * Positions are those of JavaScript's strings, which every server must speak. Nothing that would let a server write
 * files, open windows or run commands here is offered.
 */
export const clientCapabilities: ClientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: { dynamicRegistration: false },
    diagnostics: { refreshSupport: false },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    hover: { contentFormat: ["markdown", "plaintext"] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
    rename: { prepareSupport: false },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix", "refactor", "source"] } },
      resolveSupport: { properties: ["edit"] },
      dataSupport: true,
    },
  },
  window: { workDoneProgress: true },
};

/** The value of a dotted section; all of it without one, nothing where there is none. */
export function settingsOf(settings: JsonObject, section: string | undefined): Json {
  if (section === undefined || section === "") return settings;
  const direct = ownOf(settings, section);
  if (direct !== undefined) return direct;
  let value: Json | undefined = settings;
  for (const name of section.split(".")) value = isJsonObject(value) ? ownOf(value, name) : undefined;
  return value ?? null;
}

/** Not what every object has. */
function ownOf(settings: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}
