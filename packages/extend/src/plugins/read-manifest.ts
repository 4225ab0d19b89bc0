/** Reads the manifest of a plugin: a slip becomes a note with a line, and only what cannot be used is refused. */
import { isJsonObject, type JsonObject, nearNames } from "@kedge/protocol";
import type { FileNote, FileProblem, JsonFile } from "./json-file.ts";
import {
  capabilityNames,
  type ManifestDialect,
  manifestOf,
  type PluginDependency,
  type PluginManifest,
  type PluginOption,
} from "./plugin-manifest.ts";
import { isInner } from "./plugin-source.ts";

export type ReadManifest =
  | { readonly ok: true; readonly manifest: PluginManifest; readonly notes: readonly FileNote[] }
  | ({ readonly ok: false } & FileProblem);

const knownFields: readonly string[] = (
  "$schema name displayName version description author homepage repository license keywords category tags kedge capabilities " +
  "defaultEnabled skills commands agents workflows hooks mcpServers lspServers outputStyles userConfig channels dependencies " +
  "tools code interface apps experimental settings themes monitors contextFileName excludeTools plan migratedTo"
).split(" ");

/** What kedge has no counterpart for. */
const unusedFields: readonly string[] = [
  ...["workflows", "channels", "apps", "settings", "themes", "monitors", "contextFileName", "excludeTools"],
];

const nameCharactersMax = 64;
const keyForm = /^[A-Za-z_]\w*$/;

type Reading = {
  readonly fields: { readonly [name: string]: unknown };
  readonly note: (field: string, text: string) => void;
};

/** `where` is the path to the manifest inside of the file, for one that stands in a catalogue. */
export function readManifest(
  { value, lineOf, notes: given }: JsonFile,
  { dialect, where = [] }: { readonly dialect: ManifestDialect; readonly where?: readonly (string | number)[] },
): ReadManifest {
  const refuse = (why: string, remedy: string, field = ""): ReadManifest => ({
    ...{ ok: false, why, remedy },
    line: lineOf(...where, ...(field === "" ? [] : [field])),
  });
  if (!isJsonObject(value)) return refuse("not an object", "Write an object with at least a name.");
  const notes: FileNote[] = [...given];
  const note = (field: string, text: string) => notes.push({ line: lineOf(...where, field), text });
  const { name: written } = value;
  if (written === undefined) return refuse("it has no name", 'Add "name", of letters, digits and hyphens.');
  const name = typeof written === "string" ? plainPluginName(written) : "";
  if (typeof written !== "string" || name === "")
    return refuse("its name is not one of letters, digits and hyphens", "Fix the name.", "name");
  if (name !== written)
    note("name", `the name ${JSON.stringify(written.slice(0, nameCharactersMax))} is read as ${name}`);
  const outer = pathFields.find((field) => textsOf(value[field]).some((path) => !isInner(path)));
  if (outer !== undefined) return refuse(`${outer} points outside the plugin`, "Use paths inside it.", outer);
  noteFields(value, note, where.length > 0);
  const reading = { fields: value, note };
  const capabilities = capabilitiesIn(reading);
  return {
    ok: true,
    notes,
    manifest: {
      ...manifestOf(name),
      dialect,
      ...textOf(reading, "version"),
      ...textOf(reading, "description"),
      ...textOf(reading, "kedge"),
      ...(capabilities !== undefined && { capabilities }),
      isEnabledAtFirst: value["defaultEnabled"] !== false,
      skills: pathsIn(reading, "skills") ?? [],
      ...listed("commands", pathsIn(reading, "commands")),
      ...listed("agents", pathsIn(reading, "agents")),
      ...listed("styles", pathsIn(reading, "outputStyles")),
      hooks: valuesIn(reading, "hooks"),
      mcpServers: valuesIn(reading, "mcpServers"),
      lspServers: valuesIn(reading, "lspServers"),
      code: [...(pathsIn(reading, "tools") ?? []), ...(pathsIn(reading, "code") ?? [])],
      options: optionsIn(reading),
      dependencies: dependenciesIn(reading),
    },
  };
}

/** `My Tools` → `my-tools`. */
export function plainPluginName(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-");
  return plain.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "").slice(0, nameCharactersMax);
}

const pathFields = [
  "skills",
  "commands",
  "agents",
  "outputStyles",
  "hooks",
  "mcpServers",
  "lspServers",
  "tools",
  "code",
];

function noteFields(fields: JsonObject | object, note: Reading["note"], isEntry: boolean): void {
  for (const field of Object.keys(fields)) {
    if (unusedFields.includes(field)) note(field, `kedge does not use ${field}`);
    if (knownFields.includes(field) || isEntry) continue;
    const [near] = nearNames(field, knownFields, { countMax: 1 });
    note(field, `the field ${field} is ignored${near === undefined ? "" : `; did you mean ${near}?`}`);
  }
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function textOf(
  { fields, note }: Reading,
  field: "version" | "description" | "kedge",
): { readonly [name: string]: string } {
  const value = fields[field];
  if (value === undefined) return {};
  if (typeof value === "string") return { [field]: value };
  note(field, `${field} must be a string; ignored`);
  return {};
}

function listed(name: "commands" | "agents" | "styles", paths: readonly string[] | undefined) {
  return paths === undefined ? {} : { [name]: paths };
}

/** A path, a list of paths, or an object whose members name theirs. */
function pathsIn({ fields, note }: Reading, field: string): readonly string[] | undefined {
  const value = fields[field];
  if (value === undefined) return undefined;
  const texts = isJsonObject(value)
    ? Object.values(value).flatMap((each) => (isJsonObject(each) ? textsOf(each["source"]) : textsOf(each)))
    : textsOf(value);
  if (texts.length === 0 && !(Array.isArray(value) && value.length === 0))
    note(field, `${field} must be a path or a list of paths; it is ignored`);
  return texts.filter(isInner).map(plainPath);
}

/** Files and values, alone or in a list. */
function valuesIn({ fields, note }: Reading, field: string): readonly (string | JsonObject)[] {
  const value = fields[field];
  if (value === undefined) return [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.flatMap((each): readonly (string | JsonObject)[] => {
    if (typeof each === "string") return [plainPath(each)];
    // Parsed from JSON, so it holds nothing else.
    if (isJsonObject(each)) return [each as JsonObject];
    note(field, `${field} must be a path or an object; it is ignored`);
    return [];
  });
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
}

function capabilitiesIn({ fields, note }: Reading): readonly string[] | undefined {
  const value = fields["capabilities"];
  if (value === undefined) return undefined;
  for (const each of textsOf(value))
    if (!capabilityNames.includes(each)) note("capabilities", `${each} is not a known capability`);
  return textsOf(value).filter((each) => capabilityNames.includes(each));
}

function optionsIn({ fields, note }: Reading): readonly PluginOption[] {
  const { userConfig } = fields;
  if (userConfig === undefined) return [];
  if (!isJsonObject(userConfig)) {
    note("userConfig", "userConfig must be an object; it is ignored");
    return [];
  }
  return Object.entries(userConfig).flatMap(([key, value]) => {
    if (!keyForm.test(key)) {
      note("userConfig", `the option ${JSON.stringify(key)} is not a name of letters, digits and _; it is ignored`);
      return [];
    }
    const { title, description, required, sensitive, default: otherwise } = isJsonObject(value) ? value : {};
    const words = [title, description].find((each) => typeof each === "string");
    return [
      {
        key,
        title: typeof words === "string" ? words : key,
        isRequired: required === true && otherwise === undefined,
        isSecret: sensitive === true,
        ...(otherwise !== undefined && otherwise !== null && { otherwise: String(otherwise) }),
      },
    ];
  });
}

/** `name`, `name@marketplace`, or an object. */
function dependenciesIn({ fields, note }: Reading): readonly PluginDependency[] {
  const { dependencies } = fields;
  if (dependencies === undefined) return [];
  const given: readonly unknown[] = Array.isArray(dependencies)
    ? dependencies
    : isJsonObject(dependencies)
      ? Object.entries(dependencies).map(([name, version]) => ({ name, version }))
      : [undefined];
  return given.flatMap((each) => {
    const [whole, version, market] = isJsonObject(each)
      ? [each["name"], each["version"], each["marketplace"]]
      : [each, undefined, undefined];
    const [name = "", marketplace = market] = typeof whole === "string" ? whole.split("@") : [];
    if (plainPluginName(name) === "") {
      note("dependencies", "a dependency has no name; it is ignored");
      return [];
    }
    return [
      {
        name: plainPluginName(name),
        ...(typeof version === "string" && { version }),
        ...(typeof marketplace === "string" && { marketplace }),
      },
    ];
  });
}
