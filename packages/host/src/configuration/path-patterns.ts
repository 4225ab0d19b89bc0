/** Turns a path pattern of `.gitignore` form, as Claude Code writes it, into globs of kedge that match the same files. */
import type { PermissionAction } from "@kedge/protocol";

/** `layer` says whose file it is. */
export type PatternPlace = { readonly layer: "user" | "project" | "local"; readonly action: PermissionAction };

/**
 * Undefined where no glob means exactly the same: in kedge a star also stands for slashes, so only patterns whose stars
 * may do so as well can be written.
 */
export function exactPathPatterns(specifier: string, place: PatternPlace): readonly string[] | undefined {
  const { prefix, body, isAnchored } = anchorOf(specifier, place);
  if (body === "" || body.startsWith("!") || /[?[\]\\]/.test(body) || body.split("/").includes("..")) return undefined;
  if (body === "**") return wholeOf(prefix, place);
  const globs = isAnchored ? anchored(body) : anywhere(body);
  return globs?.map((glob) => prefix + glob);
}

/** Outside of the project kedge asks for the directory first, so that a rule to allow everything says no more than theirs. */
function wholeOf(prefix: string, { action }: PatternPlace): readonly string[] | undefined {
  if (prefix !== "") return [`${prefix}**`];
  return action === "allow" ? ["*"] : undefined;
}

type Anchor = { readonly prefix: string; readonly body: string; readonly isAnchored: boolean };

/** `//` is the root of the machine, `~/` the user's directory, `/` the directory of the settings, `./` the working directory. */
function anchorOf(specifier: string, { layer, action }: PatternPlace): Anchor {
  const isFolder = specifier.endsWith("/");
  const text = isFolder ? `${specifier}**` : specifier;
  if (text.startsWith("//")) return { prefix: "/", body: text.slice(2), isAnchored: true };
  if (text.startsWith("~/")) return { prefix: "~/", body: text.slice(2), isAnchored: true };
  if (text.startsWith("/")) {
    return { prefix: layer === "user" ? "~/.claude/" : "", body: text.slice(1), isAnchored: true };
  }
  const body = text.replace(/^(?:\.\/)+/, "");
  const isPlain = !(isFolder ? body.slice(0, -"/**".length) : body).includes("/");
  // A plain name counts at every depth. With `./` before it that is disputed, and the stricter reading is taken.
  const isHere = text.startsWith("./") && action === "allow";
  return { prefix: "", body, isAnchored: !isPlain || isHere };
}

function anywhere(body: string): readonly string[] | undefined {
  const suffix = /^\*([^*]+)$/.exec(body)?.[1];
  if (suffix !== undefined) return withContents(`*${suffix}`);
  return anchored(body)?.flatMap((glob) => [glob, `*/${glob}`]);
}

function anchored(body: string): readonly string[] | undefined {
  const [, before = "", after] = /^(|[^*]+\/)\*\*\/(.+)$/.exec(body) ?? [];
  if (after !== undefined) return anywhere(after)?.map((glob) => before + glob);
  const folder = /^([^*]+)\/\*\*$/.exec(body)?.[1];
  if (folder !== undefined) return [`${folder}/**`];
  if (!body.includes("*")) return withContents(body);
  // A name that begins so, and what is in it where it is a folder.
  return /^[^*]*\*$/.test(body) ? [body] : undefined;
}

/** A pattern that names a folder means all that is in it. */
function withContents(glob: string): readonly string[] {
  return [glob, `${glob}/**`];
}
