/** What users added to this place of work: found by name at the start, and read only where somebody uses it. */
import type { LocalCommand } from "@kedge/engine";
import { type Definition, type FoundDefinitions, findDefinitions } from "@kedge/extend/definitions";
import { indexedSkills, pluginFolders } from "@kedge/extend/plugins";
import { bundledSkills } from "@kedge/extend/skills";
import type { ContextSource, RuleSet, ToolSource } from "@kedge/protocol";
import { managedPlaceDefault } from "../configuration/managed-policy.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import type { PluginSnapshot } from "../plugins/plugin-snapshot.ts";
import { isWorkspaceTrusted } from "../trust/workspace-trust.ts";
import { claudeMarketplace, claudePluginFolders } from "./claude-plugins.ts";
import { type ExtensionPlaces, type FoundBases, findBases, foldersOf, hasFolder } from "./extension-places.ts";
import type { ExtensionSettings } from "./extension-settings.ts";
import { createOpenSkills, type ForkSkillIn, type OpenSkills, type UseSkill } from "./open-skills.ts";
import { createStyleSources } from "./style-sources.ts";

export type ExtensionParts = {
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly settings: ExtensionSettings;
  /** False where the session has no tool to load them with. */
  readonly offersSkills?: boolean;
  readonly disabledSources: readonly string[];
  /** Those that are enabled. */
  readonly plugins: PluginSnapshot;
  readonly now: () => number;
  readonly onNotice: (sentence: string) => void;
  /** The text of a file that a prompt may show; undefined where it may not. */
  readonly readFile: (path: string) => string | undefined;
};

export type Extensions = {
  /** For one session. */
  readonly newSources: (sessionId: string) => readonly ContextSource[];
  readonly toolSources: readonly ToolSource[];
  /** Skills that only instruct may be loaded, and their files read. */
  readonly rules: readonly RuleSet[];
  /** What users may type, from files. */
  readonly commands: () => Promise<readonly LocalCommand[]>;
  /** Whether a skill that was found brings hooks. */
  readonly bringsHooks: boolean;
  /** To be told when a skill is used otherwise than by its tool. */
  readonly onUse: UseSkill;
  /** Where hooks of a skill go when it is used. */
  readonly bindHooks: (use: UseSkill) => void;
  /** Commands that code brings, asked for when somebody types one. */
  readonly bindCommands: (commands: () => readonly Definition[]) => void;
  /** What runs skills that want an agent of their own. */
  readonly bindForks: (fork: ForkSkillIn) => void;
  /** Where definitions lie, for those that are read elsewhere. */
  readonly found: { readonly places: ExtensionPlaces; readonly bases: FoundBases; readonly isTrusted: () => boolean };
  /** Everything that was found, for a person. */
  readonly find: (kind: "skill" | "command" | "style") => Promise<FoundDefinitions>;
};

export async function openExtensions(parts: ExtensionParts): Promise<Extensions> {
  const { home, project, userDirectory, settings, now } = parts;
  const { cwd, root } = project;
  const places: ExtensionPlaces = {
    ...{ cwd, root, userDirectory, kedgeHome: home.directory, managed: managedPlaceDefault.directory },
    disabled: parts.disabledSources,
    skillDirectories: settings.skills.directories,
    plugins: placedFolders(parts),
  };
  const bases = findBases(places);
  let trusted: boolean | undefined;
  /** As it was when it was first asked: what is trusted does not change under a running process. */
  const isTrusted = () => {
    trusted ??= isWorkspaceTrusted({ home, root, userDirectory, now });
    return trusted;
  };
  let use: UseSkill = async () => {};
  let ofCode: () => readonly Definition[] = () => [];
  let fork: ForkSkillIn = () => undefined;
  const onUse: UseSkill = (sessionId, definition) => use(sessionId, definition);
  const found = new Map<string, Promise<FoundDefinitions>>();
  /** Read once: a session uses what was there, whatever happens to the files. */
  const find: Extensions["find"] = (kind) => {
    const known = found.get(kind) ?? findNow(kind);
    found.set(kind, known);
    return known;
  };

  async function findNow(kind: "skill" | "command" | "style"): Promise<FoundDefinitions> {
    const folders = foldersOf(kind, bases, places, isTrusted);
    if (kind === "command") {
      const gemini = (await import("./gemini-commands.ts")).geminiCommands(places, isTrusted);
      const found = findDefinitions(folders, [
        ...gemini.found,
        ...(await (await import("./opencode-commands.ts")).opencodeCommands(places, isTrusted)),
        ...ofCode(),
      ]);
      return { ...found, refused: [...found.refused, ...gemini.refused] };
    }
    if (kind === "style") return findDefinitions(folders);
    // Those of our own plugins are known already.
    const others = folders.filter(({ place }) => place.tier !== "plugin" || place.source === claudeMarketplace);
    const ofPlugins = parts.plugins.plugins.flatMap((plugin) => indexedSkills(plugin, plugin.index));
    return chosen(findDefinitions(others, [...ofPlugins, ...bundledSkills()]), settings);
  }

  // Not imported late: that part of the program takes longer to load than two hundred skills.
  async function openSkills(): Promise<OpenSkills> {
    const folders = foldersOf("skill", bases, places, isTrusted);
    return createOpenSkills({
      found: await find("skill"),
      folders,
      places,
      isTrusted,
      onUse,
      fork: (sessionId) => fork(sessionId),
    });
  }

  const areSkillsWanted = settings.skills.isEnabled && parts.offersSkills !== false;
  const skills = areSkillsWanted && hasFolder("skill", bases, places) ? await openSkills() : undefined;
  const style = settings.outputStyle === undefined ? undefined : await chosenStyle(settings.outputStyle);

  async function chosenStyle(name: string) {
    const { styleText } = await import("@kedge/extend/styles");
    const text = styleText(name, (await find("style")).used);
    if (text === undefined) parts.onNotice(`No output style named ${name}. List them with /output-style.`);
    return text;
  }

  return {
    newSources: (sessionId) => [...(skills?.newSources(sessionId) ?? []), ...createStyleSources(style)],
    toolSources: skills === undefined ? [] : [skills.toolSource],
    rules: skills?.rules ?? [],
    bringsHooks: skills !== undefined && (await find("skill")).used.some(({ fields }) => fields.has("hooks")),
    onUse,
    found: { places, bases, isTrusted },
    bindHooks(given) {
      use = given;
    },
    bindCommands(given) {
      ofCode = given;
    },
    bindForks(given) {
      fork = given;
    },
    find,
    commands: async () => {
      const { extensionCommands } = await import("./extension-commands.ts");
      return extensionCommands({ commands: await find("command"), skills: await find("skill"), onUse, ...parts });
    },
  };
}

/** Of kedge's own plugins first, then of those that Claude Code installed. */
function placedFolders(parts: ExtensionParts): NonNullable<ExtensionPlaces["plugins"]> {
  const { plugins } = parts.plugins;
  const ofClaude = claudePluginFolders({
    ...{ userDirectory: parts.userDirectory, root: parts.project.root, disabled: parts.disabledSources },
    taken: plugins.map(({ name }) => name),
  });
  const folders = [...plugins.map((plugin) => pluginFolders(plugin, plugin.parts)), ofClaude];
  return {
    skill: folders.flatMap(({ skill }) => skill),
    command: folders.flatMap(({ command }) => command),
    agent: folders.flatMap(({ agent }) => agent),
    style: folders.flatMap(({ style }) => style),
  };
}

/** Without those that the user does not want. */
function chosen(found: FoundDefinitions, { skills }: ExtensionSettings): FoundDefinitions {
  const { include, ignore, disabledSources } = skills;
  if (include.length === 0 && ignore.length === 0 && disabledSources.length === 0) return found;
  const [included, ignored] = [namePattern(include), namePattern(ignore)];
  const isWanted = (name: string) => (include.length === 0 || included.test(name)) && !ignored.test(name);
  const isUsed = ({ name, place: { tier, source } }: Definition) =>
    tier === "bundled" || (isWanted(name) && !disabledSources.includes(source));
  return { ...found, used: found.used.filter(isUsed) };
}

/** Any of the names, with `*` for any characters; none matches nothing. */
function namePattern(names: readonly string[]): RegExp {
  const texts = names.map((name) => name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*"));
  return new RegExp(names.length === 0 ? "^\\b$" : `^(?:${texts.join("|")})$`);
}
