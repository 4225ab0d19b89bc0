/** Looks at the set-up of another agent and says what an import would write, without writing anything. */
import { join } from "node:path";
import { createRedactor } from "@kedge/memory";
import { diffTexts } from "@kedge/tools";
import { presenceOf } from "../../configuration/setting-file.ts";
import { shownPath } from "../../configuration/setting-layers.ts";
import { isTooWide } from "../../trust/workspace-trust.ts";
import { foreignAgents } from "../agents/foreign-agents.ts";
import { dropSecrets, redactNotes } from "../drop-secrets.ts";
import { type Findings, type FoundRule, type ImportNote, type ImportScope, noFindings } from "../findings.ts";
import { type ForeignFolder, textOf } from "../foreign-folder.ts";
import { withoutWidened } from "../rules/hold-back.ts";
import { boundFindings } from "./bound-findings.ts";
import type { ImportedAgent, ImportPlan, PlannedFile } from "./import-plan.ts";
import { planFiles } from "./plan-files.ts";
import { planSettings } from "./plan-settings.ts";
import type { TargetPlaces } from "./settings-target.ts";

export type ImportRequest = {
  readonly agent: ImportedAgent;
  readonly scopes: readonly ImportScope[];
};

export async function planImport({ agent, scopes }: ImportRequest, places: TargetPlaces): Promise<ImportPlan> {
  const found: string[] = [];
  const files: PlannedFile[] = [];
  const notes: ImportNote[] = [];
  const own = await readFindings(agent, "user", places);
  const asked = own?.findings.rules.filter(({ rule }) => rule.action === "ask") ?? [];
  for (const scope of scopes) {
    const read = scope === "user" ? own : await readFindings(agent, scope, places);
    if (read === undefined) continue;
    const { folder, findings } = read;
    found.push(folder.shown(folder.path));
    files.push(...(await planFindings(findings, { scope, asked, places, shown: folder.shown })));
    notes.push(...redactNotes(findings.notes, folder.redact));
  }
  return { agent, found, files, notes: distinct(notes) };
}

async function readFindings(agent: ImportedAgent, scope: ImportScope, places: TargetPlaces) {
  const folder = findFolder(agent, scope, places);
  if (folder === undefined) return undefined;
  const findings = noFindings();
  await foreignAgents[agent].read(folder, findings);
  boundFindings(findings, folder.shown(folder.path));
  dropSecrets(findings, folder.redact);
  return { folder, findings };
}

/** Undefined where the agent has nothing there. */
function findFolder(agent: ImportedAgent, scope: ImportScope, places: TargetPlaces): ForeignFolder | undefined {
  const { userDirectory, projectRoot } = places;
  // In the user's own directory the folders of the user and of the project are the same.
  if (scope === "project" && isTooWide(projectRoot, userDirectory)) return undefined;
  const { userFolders, projectFolders, projectFiles = [] } = foreignAgents[agent];
  const names = scope === "user" ? userFolders : projectFolders;
  const base = scope === "user" ? userDirectory : projectRoot;
  const isThere = (name: string) => presenceOf(join(base, name)) === "there";
  const hasFile = scope === "project" && projectFiles.some(isThere);
  const name = names.find(isThere) ?? (hasFile ? names[0] : undefined);
  if (name === undefined) return undefined;
  const redactor = createRedactor({ values: () => [] });
  return {
    scope,
    path: join(base, name),
    projectRoot,
    userDirectory,
    shown: (path) => shownPath(path, places),
    redact: (text) => redactor.redact(text),
  };
}

type Planning = {
  readonly scope: ImportScope;
  readonly asked: readonly FoundRule[];
  readonly places: TargetPlaces;
  readonly shown: (path: string) => string;
};

async function planFindings(findings: Findings, planning: Planning): Promise<readonly PlannedFile[]> {
  const { scope, asked, places, shown } = planning;
  const { notes, settings } = findings;
  const rules = withoutWidened(findings, asked);
  const files: PlannedFile[] = [];
  const isOwn = scope === "user";
  for (const layer of isOwn ? (["user"] as const) : (["project", "local"] as const)) {
    const planned = await planSettings(layer, { settings, rules }, { places, shown, notes });
    if (planned === undefined) continue;
    const { path, before, after } = planned;
    const { text: diff } = await diffTexts(shown(path), before, after);
    files.push({
      ...{ path, name: shown(path), diff, after: Buffer.from(after), mode: isOwn ? 0o600 : 0o644 },
      ...(before !== undefined && { before: Buffer.from(before) }),
      isLocal: layer === "local",
    });
  }
  const copies = planFiles(findings.files, scope, { places, shown, notes });
  for (const { target, from } of findings.files.filter(({ target: name }) => name.startsWith("agents/"))) {
    notes.push({ ...from, kind: "unsupported", why: `is copied to ${target}` });
  }
  for (const { path, after, isExecutable } of copies) {
    const name = shown(path);
    const text = textOf(after);
    const diff =
      text === undefined
        ? `New file ${name} (${after.length} bytes, not text)`
        : (await diffTexts(name, undefined, text)).text;
    const mode = (isOwn ? 0o600 : 0o644) | (isExecutable ? (isOwn ? 0o100 : 0o111) : 0);
    files.push({ path, name, after, diff, mode, isLocal: false });
  }
  return files;
}

/** One rule may become several, and is told once. */
function distinct(notes: readonly ImportNote[]): readonly ImportNote[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()];
}
