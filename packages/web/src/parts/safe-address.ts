/** Which addresses of a text may be followed, and which pictures may be shown: everything else stays text. */

const followed: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

export type SafeAddress = {
  readonly href: string;
  /** Who answers there, in the form that no other script can imitate. */
  readonly host: string;
};

export function safeAddress(text: string): SafeAddress | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !followed.has(url.protocol)) return undefined;
  if (url.protocol === "mailto:") return { href: url.href, host: url.pathname };
  return url.host === "" ? undefined : { href: url.href, host: url.host };
}

export type FilePlace = { readonly path: string; readonly line?: number };

/** A path of the project, such as `src/cart.ts:12`; nothing that could be another place. */
const relativePath = /^(?:\.\/)?([\w@+-][\w@+.-]*(?:\/[\w@+.-]+)*\.\w{1,10})(?:(?::|#L)(\d{1,7}))?$/;

export function filePlace(text: string): FilePlace | undefined {
  const [, path, line] = relativePath.exec(text) ?? [];
  if (path === undefined || path.split("/").includes("..")) return undefined;
  return { path, ...(line !== undefined && { line: Number(line) }) };
}

/** Pixels only: a vector picture is a document, and is shown as its source. */
const pixelPictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const base64Text = /^[A-Za-z0-9+/]+={0,2}$/;

export function pictureAddress(mediaType: string, base64: string): string | undefined {
  const isShown = pixelPictures.has(mediaType) && base64Text.test(base64);
  return isShown ? `data:${mediaType};base64,${base64}` : undefined;
}

/** Of a picture that stands in the text itself. */
export function inlinePicture(href: string): string | undefined {
  const [, mediaType = "", base64 = ""] = /^data:(image\/\w+);base64,(.*)$/s.exec(href) ?? [];
  return pictureAddress(mediaType, base64);
}
