/** Reads where a plugin or a catalogue comes from: what a user types, and what entries of catalogues say. */
import { isJsonObject } from "@kedge/protocol";
import type { PluginSource } from "./source-text.ts";

export type ReadSource =
  | { readonly ok: true; readonly source: PluginSource }
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

const packageForm = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/;
const versionForm = /^[\w.^~<>=*][\w .^~<>=|*+-]*$/;
const refForm = /^[A-Za-z0-9_][\w./+-]*$/;
const repositoryForm = /^[A-Za-z0-9_][\w.-]*\/[A-Za-z0-9_][\w.-]*$/;
const shaForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const sha256Form = /^[0-9a-f]{64}$/;

/**
 * What a user typed: a directory, `owner/repo`, an address of git, `npm:package@version`, or an archive with
 * `#sha256=`. `#ref` or `#ref:directory` may follow a repository. `resolvePath` makes paths absolute.
 */
export function parseSource(text: string, resolvePath: (path: string) => string): ReadSource {
  const [address = "", fragment = ""] = splitOnce(text, "#");
  if (/^npm:/.test(text)) return npmSource(text.slice("npm:".length));
  if (/^(?:\.{0,2}\/|~\/|\.{1,2}$|~$)/.test(text))
    return { ok: true, source: { kind: "path", path: resolvePath(text) } };
  const isWeb = /^https?:\/\//i.test(address);
  if (isWeb && /\.(?:tgz|tar\.gz|tar|zip)$/i.test(address)) {
    return archiveSource(address, /^sha256=(.+)$/.exec(fragment)?.[1]);
  }
  if (isWeb && /\.json$/i.test(address)) return checkedUrl(address, (url) => ({ kind: "file", url }));
  const [ref = "", path = ""] = splitOnce(fragment, ":");
  return gitSource({ url: address, ...(ref !== "" && { ref }), ...(path !== "" && { path }) });
}

/** What an entry of a catalogue says. `pluginRoot` is where its plain names begin. */
export function readSource(value: unknown, pluginRoot = ""): ReadSource {
  if (typeof value === "string") {
    if (!/^(?:\.\/|[\w@])/.test(value) || value.includes("://"))
      return refused(`its source ${shown(value)} is not a path inside`);
    return insideSource(value.startsWith("./") || pluginRoot === "" ? value : `${pluginRoot}/${value}`);
  }
  if (!isJsonObject(value)) return refused("it has no source");
  const { source: kind, url, repo, path, ref, sha, version, sha256, registry } = value;
  const pinned = { ...(isText(ref) && { ref }), ...(isText(sha) && { sha }) };
  switch (kind) {
    case "local":
    case "directory":
      return isText(path) ? insideSource(path) : refused("its source needs a path");
    case "github":
      if (!isText(repo) || !repositoryForm.test(repo)) return refused("its source needs repo as owner/name");
      return gitSource({ url: repo, ...pinned, ...(isText(path) && { path }) });
    case "url":
    case "git":
      return isText(url) ? gitSource({ url, ...pinned }) : refused("its source needs a url");
    case "git-subdir":
      if (!isText(url) || !isText(path)) return refused("its source needs a url and a path");
      return gitSource({ url, path, ...pinned });
    case "npm": {
      // Another registry could answer for a name that the user knows from his own.
      if (registry !== undefined)
        return refused("it names a registry; your npm configuration decides which one is used");
      const name = value["package"];
      return isText(name)
        ? npmSource(isText(version) ? `${name}@${version}` : name)
        : refused("its source needs a package");
    }
    case "archive":
      return isText(url) ? archiveSource(url, sha256) : refused("its source needs a url");
    case "command":
      return refused("it is installed by a command, which kedge does not run");
    default:
      return refused(`its source has the unknown type ${shown(kind)}`);
  }
}

/** Whether a path stays below where it starts, whatever it is joined to. */
export function isInner(path: string): boolean {
  return (
    !/^(?:\/|~|[A-Za-z]:)/.test(path) && !path.includes("\\") && !path.includes("\0") && !path.split("/").includes("..")
  );
}

function insideSource(path: string): ReadSource {
  if (!isInner(path)) return refused(`its source ${shown(path)} points outside the catalog`);
  return { ok: true, source: { kind: "inside", path: path.replace(/^\.\//, "") } };
}

type GitParts = Omit<Extract<PluginSource, { kind: "git" }>, "kind">;

function gitSource({ url: given, ref, sha, path }: GitParts): ReadSource {
  const url = repositoryForm.test(given) ? `https://github.com/${given.replace(/\.git$/, "")}.git` : given;
  const isAddress = /^(?:https|ssh|file):\/\/[^-\s]\S*$/i.test(url) || /^[\w.-]+@[\w.-]+:[^-\s]\S*$/.test(url);
  if (!isAddress && !isLoopbackHttp(url))
    return refused(`${shown(given)} is neither owner/repo nor a git URL with https, ssh or file`);
  if (ref !== undefined && (!refForm.test(ref) || ref.includes("..")))
    return refused(`${shown(ref)} is not a branch or tag`);
  if (sha !== undefined && !shaForm.test(sha)) return refused(`${shown(sha)} is not a full commit hash`);
  if (path !== undefined && !isInner(path)) return refused(`${shown(path)} points outside the repository`);
  // A hash in the place of a branch is meant as one.
  const isPinned = sha === undefined && ref !== undefined && shaForm.test(ref);
  return {
    ok: true,
    source: {
      kind: "git",
      url,
      ...(ref !== undefined && !isPinned && { ref }),
      ...(sha !== undefined && { sha }),
      ...(isPinned && { sha: ref }),
      ...(path !== undefined && { path: path.replace(/^\.\//, "") }),
    },
  };
}

function npmSource(text: string): ReadSource {
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  const version = at === -1 ? undefined : text.slice(at + 1);
  if (!packageForm.test(name)) return refused(`${shown(name)} is not the name of an npm package`);
  if (version !== undefined && !versionForm.test(version)) return refused(`${shown(version)} is not a version`);
  return { ok: true, source: { kind: "npm", package: name, ...(version !== undefined && { version }) } };
}

function archiveSource(url: string, sha256: unknown): ReadSource {
  if (!isText(sha256) || !sha256Form.test(sha256.toLowerCase()))
    return refused("an archive needs its SHA-256, as 64 hexadecimal digits");
  return checkedUrl(url, (checked) => ({ kind: "archive", url: checked, sha256: sha256.toLowerCase() }));
}

function checkedUrl(text: string, make: (url: string) => PluginSource): ReadSource {
  const isSecure = URL.parse(text)?.protocol === "https:";
  return isSecure || isLoopbackHttp(text)
    ? { ok: true, source: make(text) }
    : refused(`${shown(text)} is not an https URL`);
}

/** Nobody can listen in on it. */
function isLoopbackHttp(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const shownMax = 100;

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, shownMax);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function refused(why: string): ReadSource {
  return { ok: false, why };
}
