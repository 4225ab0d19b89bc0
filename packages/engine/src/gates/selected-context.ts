/** Which workspace, cluster, account, branch or database a command would act on, as the files of the machine say it. */
import { dirname, resolve } from "node:path";
import { shapeOf } from "./command-rows.ts";
import type { ShownSubject } from "./irreversible.ts";
import type { MachineLook } from "./machine-look.ts";
import { plainText } from "./plain-text.ts";

export type SelectionQuestion = {
  readonly machine: Pick<MachineLook, "readText">;
  /** The spelling that was recognised. */
  readonly text: string;
  /** All of the text, where variables may be assigned in front of the command. */
  readonly whole: string;
  readonly directory: string;
  readonly home: string;
};

export async function selectedContext(shows: ShownSubject, question: SelectionQuestion): Promise<readonly string[]> {
  switch (shows) {
    case "terraform":
      return terraform(question);
    case "pulumi":
      return pulumi(question);
    case "kubernetes":
      return kubernetes(question);
    case "aws":
      return aws(question);
    case "gcloud":
      return gcloud(question);
    case "azure":
      return azure(question);
    case "docker":
      return docker(question);
    case "git":
      return git(question);
    case "database":
      return database(question);
    case "files":
    case "nothing":
      return [];
  }
}

async function terraform({ machine, whole, directory }: SelectionQuestion): Promise<readonly string[]> {
  const assigned = assignedValue(whole, "TF_WORKSPACE");
  const file = `${directory}/.terraform/environment`;
  const stored = (await machine.readText(file))?.trim();
  const workspace =
    assigned !== undefined
      ? `${assigned} (set in the command)`
      : stored === undefined || stored === ""
        ? "default (none selected)"
        : `${stored} (from ${file})`;
  const lines = [`terraform workspace: ${plainText(workspace)}`];
  const backend = backendOf(await machine.readText(`${directory}/.terraform/terraform.tfstate`));
  if (backend !== undefined) lines.push(`terraform backend: ${plainText(backend)}`);
  return lines;
}

/** Only the names of places are told: the rest of such a file may be secret. */
const backendPlaces = ["bucket", "container_name", "storage_account_name", "key", "prefix", "path", "address"];
const backendNames = ["hostname", "organization", "workspaces", "region"];

function backendOf(text: string | undefined): string | undefined {
  const backend = fieldOf(parsedJson(text), "backend");
  const type = fieldOf(backend, "type");
  if (typeof type !== "string") return undefined;
  const config = fieldOf(backend, "config");
  const places = [...backendPlaces, ...backendNames].flatMap((name) => {
    const value = fieldOf(config, name);
    return typeof value === "string" && value !== "" ? [`${name} ${withoutCredentials(value)}`] : [];
  });
  return [type, ...places].join(", ");
}

function pulumi({ text }: SelectionQuestion): readonly string[] {
  const { values } = shapeOf(text);
  const stack = values.get("--stack") ?? values.get("-s");
  return [`pulumi stack: ${stack === undefined ? "the last selected" : `${plainText(stack)} (set in the command)`}`];
}

async function kubernetes({ machine, text, whole, directory, home }: SelectionQuestion): Promise<readonly string[]> {
  const { values } = shapeOf(text);
  const named = values.get("--context") ?? values.get("--kube-context");
  const file = values.get("--kubeconfig") ?? assignedValue(whole, "KUBECONFIG");
  const path = file === undefined ? `${home}/.kube/config` : resolve(directory, withHome(file, home));
  const current = /^current-context:[ \t]*["']?([^"'\r\n]*)/m.exec((await machine.readText(path)) ?? "")?.[1]?.trim();
  const context =
    named !== undefined
      ? `${named} (set in the command)`
      : current === undefined || current === ""
        ? `none selected in ${path}`
        : `${current} (from ${path})`;
  const namespace = values.get("--namespace") ?? values.get("-n");
  return [
    `kubernetes context: ${plainText(context)}`,
    ...(namespace === undefined ? [] : [`kubernetes namespace: ${plainText(namespace)}`]),
  ];
}

function aws({ text, whole }: SelectionQuestion): readonly string[] {
  const named = shapeOf(text).values.get("--profile") ?? assignedValue(whole, "AWS_PROFILE");
  return [`aws profile: ${named === undefined ? "default, unless AWS_PROFILE is set" : plainText(named)}`];
}

async function gcloud({ machine, text, home }: SelectionQuestion): Promise<readonly string[]> {
  const { values } = shapeOf(text);
  const folder = `${home}/.config/gcloud`;
  const active = (await machine.readText(`${folder}/active_config`))?.trim();
  const name = values.get("--configuration") ?? active ?? "default";
  const stored = (await machine.readText(`${folder}/configurations/config_${name}`)) ?? "";
  const setting = (key: string) => new RegExp(`^${key}\\s*=\\s*(\\S+)`, "m").exec(stored)?.[1];
  const project = values.get("--project") ?? setting("project") ?? "not set";
  const account = values.get("--account") ?? setting("account") ?? "not set";
  return [`gcloud configuration: ${plainText(`${name}, project ${project}, account ${account}`)}`];
}

async function azure({ machine, text, home }: SelectionQuestion): Promise<readonly string[]> {
  const named = shapeOf(text).values.get("--subscription");
  if (named !== undefined) return [`azure subscription: ${plainText(named)} (set in the command)`];
  const profile = parsedJson((await machine.readText(`${home}/.azure/azureProfile.json`))?.replace(/^\uFEFF/, ""));
  const subscriptions = fieldOf(profile, "subscriptions");
  const chosen = Array.isArray(subscriptions)
    ? subscriptions.find((subscription: unknown) => fieldOf(subscription, "isDefault") === true)
    : undefined;
  const name = fieldOf(chosen, "name");
  return [`azure subscription: ${typeof name === "string" ? plainText(name) : "none selected"}`];
}

async function docker({ machine, text, home }: SelectionQuestion): Promise<readonly string[]> {
  const { values } = shapeOf(text);
  const named = values.get("--context") ?? values.get("-c") ?? values.get("--host") ?? values.get("-H");
  if (named !== undefined) return [`docker context: ${plainText(named)} (set in the command)`];
  const current = fieldOf(parsedJson(await machine.readText(`${home}/.docker/config.json`)), "currentContext");
  return [`docker context: ${typeof current === "string" ? plainText(current) : "default"}`];
}

async function git({ machine, directory }: SelectionQuestion): Promise<readonly string[]> {
  const found = await gitFolder(machine, directory);
  if (found === undefined) return ["git: not a repository"];
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(found.head)?.[1]?.trim();
  if (branch === undefined) return [`git branch: none, at commit ${plainText(found.head.trim().slice(0, 12))}`];
  const config = (await machine.readText(`${found.common}/config`)) ?? "";
  const remote = configValue(config, `branch "${branch}"`, "remote");
  const merge = configValue(config, `branch "${branch}"`, "merge")?.replace(/^refs\/heads\//, "");
  if (remote === undefined) return [`git branch: ${plainText(branch)}, no upstream`];
  const url = configValue(config, `remote "${remote}"`, "url");
  const at = url === undefined ? "" : ` at ${withoutCredentials(url)}`;
  return [`git branch: ${plainText(`${branch}, upstream ${remote}/${merge ?? branch}${at}`)}`];
}

/** More folders than this between a directory and the root do not occur. */
const foldersUpMax = 40;

async function gitFolder(
  machine: SelectionQuestion["machine"],
  directory: string,
): Promise<{ readonly head: string; readonly common: string } | undefined> {
  let folder = directory;
  for (let level = 0; level < foldersUpMax; level += 1) {
    const head = await machine.readText(`${folder}/.git/HEAD`);
    if (head !== undefined) return { head, common: `${folder}/.git` };
    // A worktree or a submodule keeps its repository elsewhere.
    const link = /^gitdir: (.+)$/m.exec((await machine.readText(`${folder}/.git`)) ?? "")?.[1];
    if (link !== undefined) {
      const own = resolve(folder, link.trim());
      const common = (await machine.readText(`${own}/commondir`))?.trim();
      const ownHead = await machine.readText(`${own}/HEAD`);
      return ownHead === undefined
        ? undefined
        : { head: ownHead, common: common === undefined ? own : resolve(own, common) };
    }
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

function configValue(config: string, section: string, key: string): string | undefined {
  let isInside = false;
  for (const line of config.split("\n")) {
    const text = line.trim();
    if (text.startsWith("[")) isInside = text === `[${section}]`;
    else if (isInside) {
      const equals = text.indexOf("=");
      if (equals > 0 && text.slice(0, equals).trim() === key) return text.slice(equals + 1).trim();
    }
  }
  return undefined;
}

const databaseVariables = [
  "DATABASE_URL",
  "POSTGRES_URL",
  "MONGO_URL",
  "MONGODB_URI",
  "REDIS_URL",
  "DB_HOST",
  "PGHOST",
];

async function database({ machine, whole, directory }: SelectionQuestion): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of databaseVariables) {
    const assigned = assignedValue(whole, name);
    if (assigned !== undefined) lines.push(`${name}: ${plainText(withoutCredentials(assigned))} (set in the command)`);
  }
  const file = `${directory}/.env`;
  const text = (await machine.readText(file)) ?? "";
  for (const name of databaseVariables) {
    const value = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*["']?([^"'\\r\\n#]+)`, "m").exec(
      text,
    )?.[1];
    if (value !== undefined) lines.push(`${name}: ${plainText(withoutCredentials(value.trim()))} (from ${file})`);
  }
  return lines;
}

/** What stands before the host of an address and what follows its path may be secret; a password may hold any sign. */
function withoutCredentials(text: string): string {
  return text.replace(/[?#].*$/, "").replace(/^([a-z][\w+.-]*:\/\/).*@/i, "$1");
}

function assignedValue(whole: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\s;&|(])${name}=["']?([^"'\\s;&|)]+)`).exec(whole)?.[1];
}

function withHome(path: string, home: string): string {
  return path.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}

function parsedJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // A file of another program may be of any form; then it says nothing.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
