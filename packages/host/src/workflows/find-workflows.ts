/** Where workflows of the user and of a project lie here, which of them may run, and what each may load. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { readWorkflowMeta, type WorkflowMeta } from "@kedge/agents/workflows";
import { findCodeFiles, withImports } from "@kedge/extend/tools";
import type { Home } from "../machine/home.ts";
import { codeInputKinds } from "../trust/project-inputs.ts";
import { isTooWide, judgeWorkspace } from "../trust/workspace-trust.ts";

export type WorkflowSite = {
  readonly home: Home;
  readonly root: string;
  readonly userDirectory: string;
  /** Sources that the user switched off, by id. */
  readonly disabledSources: readonly string[];
  readonly now: () => number;
};

export type FoundWorkflow = WorkflowMeta & {
  /** Absolute real path. */
  readonly file: string;
  readonly origin: "project" | "user";
  /** SHA-256 of what the file holds now. */
  readonly digest: string;
  /** Of every file that it may load. */
  readonly digests: ReadonlyMap<string, string>;
};

export type FoundWorkflows = {
  /** One for each name; a project's stands before the user's. */
  readonly used: readonly FoundWorkflow[];
  /** Sentences about what cannot be used. */
  readonly problems: readonly string[];
};

const folderName = "workflows";
const bytesMax = 1024 * 1024;

/** Folders that are there. */
function workflowFolders({ root, home, userDirectory, disabledSources }: WorkflowSite) {
  const foreign = disabledSources.includes("claude") ? [] : [".claude"];
  const ofProject = [".kedge", ...foreign].map((folder) => join(root, folder, folderName));
  const ofUser = [join(home.directory, folderName), ...foreign.map((name) => join(userDirectory, name, folderName))];
  // Started in the home directory, its folders are the user's.
  const isOwn = (folder: string) => !ofUser.includes(folder);
  return { project: ofProject.filter(isOwn).filter(isFolder), user: ofUser.filter(isFolder) };
}

/** Looks at names and texts; nothing of them runs. */
export function findWorkflows(site: WorkflowSite): FoundWorkflows {
  const { home, root, userDirectory, now } = site;
  const folders = workflowFolders(site);
  if (folders.project.length + folders.user.length === 0) return { used: [], problems: [] };
  const isWide = isTooWide(root, userDirectory);
  const trust = isWide ? ({ state: "nothing" } as const) : judgeWorkspace({ home, root, userDirectory, now });
  if (trust.state === "unknown" || trust.state === "refused") {
    const problem = "No workflows run here because this project is not trusted. Start kedge in it to review it.";
    return { used: [], problems: [problem] };
  }
  const trusted = new Map(
    trust.state === "trusted"
      ? trust.inputs.filter(({ kind }) => codeInputKinds.has(kind)).map(({ name, hash }) => [join(root, name), hash])
      : [],
  );
  const project = folders.project.flatMap((folder) =>
    findCodeFiles(folder, root).code.map((file) => describe(file, "project", trusted)),
  );
  const user = folders.user.flatMap((folder) =>
    findCodeFiles(folder, anywhere).code.map((file) => describe(file, "user", digestsOf(file))),
  );
  const used = new Map<string, FoundWorkflow>();
  const problems: string[] = [];
  for (const found of [...project, ...user]) {
    if (typeof found === "string") problems.push(found);
    else if (used.has(found.name))
      problems.push(`${found.file} is not used: another workflow is already named ${found.name}.`);
    else used.set(found.name, found);
  }
  return { used: [...used.values()], problems };
}

/** What the user put there may lie behind a link. */
const anywhere = "";

function describe(
  file: string,
  origin: FoundWorkflow["origin"],
  digests: FoundWorkflow["digests"],
): FoundWorkflow | string {
  const text = textOf(file);
  if (text === undefined) return `${file} cannot be read.`;
  const stem = basename(file, extname(file));
  const name = stem === "index" ? basename(dirname(file)) : stem;
  return { ...readWorkflowMeta(text, name), file, origin, digest: hashOf(text), digests };
}

function digestsOf(file: string): ReadonlyMap<string, string> {
  return new Map(withImports([file], anywhere).map((path) => [path, hashOf(textOf(path) ?? "")]));
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size <= bytesMax ? readFileSync(file, "utf8") : undefined;
  } catch {
    // Gone or unreadable; it is reported as such.
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
