/** Says which formatter a file gets in this project, and why others are not used. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type FormatterDefinition, formatterTable } from "@kedge/extend/formatters";
import { environmentOf, extensionOf, type FoundProgram, findProgram, type Searched } from "@kedge/extend/lsp";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { programFoldersAbove } from "../lsp/program-folders.ts";
import type { ProgramTrust } from "../lsp/program-trust.ts";
import type { FormatterSettings } from "./formatter-settings.ts";

export type FindFormattersParts = {
  readonly settings: FormatterSettings;
  readonly root: string;
  readonly trust: () => ProgramTrust;
  readonly searchPath: () => string;
  readonly isInside: (path: string) => boolean;
};

export type FormattingFile = { readonly definition: FormatterDefinition; readonly program: FoundProgram };

export type FindFormatters = {
  /** The first that is enabled. Looks once for each directory; a table look-up where nothing formats such files. */
  formatting(path: string): FormattingFile | undefined;
  /** A file was written, which may say that another formatter is used. */
  written(path: string): void;
  all(): readonly { readonly definition: FormatterDefinition; readonly enabled: boolean; readonly why: string }[];
};

export function findFormatters(parts: FindFormattersParts): FindFormatters {
  const { root } = parts;
  const definitions = readDefinitions(parts);
  const byExtension = new Map<string, FormatterDefinition[]>();
  for (const definition of definitions) {
    for (const extension of definition.extensions)
      byExtension.set(extension, [...(byExtension.get(extension) ?? []), definition]);
  }
  const deciding = new Set(definitions.flatMap(({ markers, mentions = {} }) => [...markers, ...Object.keys(mentions)]));
  const known = new Map<string, FormattingFile | undefined>();

  function find(candidates: readonly FormatterDefinition[], directory: string): FormattingFile | undefined {
    for (const definition of candidates) {
      if (markOf(definition, directory, root) === undefined) continue;
      const { found } = programFor(definition, directory, parts);
      if (found !== undefined) return { definition, program: found };
    }
    return undefined;
  }

  return {
    formatting(path) {
      const extension = extensionOf(path);
      const candidates = byExtension.get(extension);
      if (candidates === undefined || !path.startsWith(root)) return undefined;
      const directory = dirname(path);
      const key = `${extension}\0${directory}`;
      if (!known.has(key)) known.set(key, find(candidates, directory));
      return known.get(key);
    },
    written(path) {
      if (deciding.has(path.slice(path.lastIndexOf("/") + 1))) known.clear();
    },
    all: () =>
      definitions.map((definition) => {
        const mark = markOf(definition, root, root);
        if (mark === undefined) return { definition, enabled: false, why: "the project does not use it" };
        const searched = programFor(definition, root, parts);
        return searched.found === undefined
          ? { definition, enabled: false, why: searched.why }
          : { definition, enabled: true, why: mark };
      }),
  };
}

function programFor(definition: FormatterDefinition, directory: string, parts: FindFormattersParts): Searched {
  const trusted = parts.trust();
  if (trusted === "none") return { found: undefined, why: "this project is not trusted (kedge trust add)" };
  if (trusted !== "project" && definition.runsProjectCode)
    return { found: undefined, why: "it runs project code, and the project is not trusted (kedge trust add)" };
  return findProgram([definition.command], {
    searchPath: parts.searchPath(),
    projectFolders: programFoldersAbove(directory, parts.root),
    isInside: parts.isInside,
    mayRunProject: trusted === "project",
  });
}

/** What shows that the project uses it; undefined where nothing does. */
function markOf(definition: FormatterDefinition, directory: string, root: string): string | undefined {
  if (definition.origin !== "kedge") return "configured";
  if (definition.needsNoMarker) return "the usual formatter of the language";
  for (let each = directory; ; each = dirname(each)) {
    const marker = definition.markers.find((name) => existsSync(join(each, name)));
    if (marker !== undefined) return marker;
    for (const [file, text] of Object.entries(definition.mentions ?? {})) {
      const path = join(each, file);
      const read = existsSync(path) ? readSettingsText(path) : undefined;
      if (read?.ok && read.text.includes(text)) return file;
    }
    if (each === root || each === dirname(each)) return undefined;
  }
}

/** Those that somebody configured come first, then those of the table that were not switched off. */
function readDefinitions({ settings, root }: FindFormattersParts): readonly FormatterDefinition[] {
  if (settings === false) return [];
  const entries = Object.entries(settings).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const configured = entries.flatMap(([name, entry]) => {
    const known = formatterTable.find((row) => row.name === name);
    const [program, ...args] = strings(entry["command"]) ?? known?.command ?? [];
    const extensions = strings(entry["extensions"])?.map(withDot) ?? known?.extensions;
    if (entry["disabled"] === true || program === undefined || extensions === undefined) return [];
    const file = program.includes("/") && !isAbsolute(program) ? join(root, program) : program;
    const environment = environmentOf(entry["env"]);
    return [
      {
        ...(known ?? { markers: [] }),
        name,
        extensions,
        command: [file, ...args],
        ...(environment !== undefined && { environment }),
        origin: "settings",
      },
    ];
  });
  const names = new Set(entries.map(([name]) => name));
  return [...configured, ...formatterTable.filter(({ name }) => !names.has(name))];
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
}

function withDot(extension: string): string {
  return (extension.startsWith(".") ? extension : `.${extension}`).toLowerCase();
}
