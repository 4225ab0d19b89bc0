/** What a command that only looks keeps of the user's environment: nothing that runs, writes, or is taken from the project. */
import { isAbsolute } from "node:path";
import { isRiskyVariable } from "./risky-variables.ts";

export type LookVariablesOptions = {
  /** Whether an absolute path lies in the workspace, links followed. */
  readonly isInside: (path: string) => boolean;
};

/** They hold code, a command line or a file that is written, wherever that lies. */
const runsOrWrites =
  /^(?:BASH_.*|BASHOPTS|ENV|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|LESSEDIT|.*_COMMAND|.*_WRAPPER|.*_RUNNER|MALLOC_TRACE|SSLKEYLOGFILE|HISTFILE|LD_DEBUG.*|LD_PROFILE.*|GIT_(?!AUTHOR_|COMMITTER_|CEILING_DIRECTORIES$|SSL_|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$).*)$/;

/** They say who and where the user is, not what is loaded. */
const ownWords =
  /^(?:HOME|PWD|OLDPWD|TERM|LANGUAGE|LS_COLORS|DISPLAY|WAYLAND_DISPLAY|KEDGE_\w*|GIT_(?:AUTHOR|COMMITTER)_\w*)$/;

/** Accounts and addresses, of which some also name files. */
const accounts =
  /^(?:(?:AWS|AZURE|GOOGLE|CLOUDSDK|GH|GITHUB|DOCKER|CONTAINER|KUBERNETES|SSH|VSCODE|ANTHROPIC|OPENAI|CLAUDE)_\w*|\w*_(?:PROXY|proxy|TOKEN)|VAULT_ADDR|CONSUL_HTTP_ADDR|BUILDKIT_HOST|DBUS_\w*|PGHOST)$/;
const namesFile = /(?:^|_)(?:FILE|PATH|DIR|DIRECTORY|HOME|CONFIG|RC|BROWSER|PAGER|EDITOR|SOCK|ASKPASS)$/;

const listsPlaces = /(?:PATH|DIRS|KUBECONFIG|LD_PRELOAD)$/;
const usualPath = "/usr/local/bin:/usr/bin:/bin";

/** Programs are found in the same places as before, up to those that come with the project or move with the directory. */
export function lookVariables(
  environment: Readonly<Record<string, string>>,
  options: LookVariablesOptions,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const left = keptOf(name, value, options);
    if (left !== undefined) kept[name] = left;
  }
  return kept;
}

function keptOf(name: string, value: string, { isInside }: LookVariablesOptions): string | undefined {
  if (!isRiskyVariable(name) || ownWords.test(name)) return value;
  if (runsOrWrites.test(name)) return undefined;
  if (accounts.test(name) && !namesFile.test(name)) return value;
  const places = value.split(":");
  // An empty entry is the directory that the program works in.
  const own = places.filter((place) => isAbsolute(place) && !isInside(place));
  if (name === "PATH") return own.join(":") || usualPath;
  // A command line may take its words from the project, and what is no list means something else without a part.
  if (/\s/.test(value) || (own.length < places.length && !listsPlaces.test(name))) return undefined;
  return own.join(":") || undefined;
}
