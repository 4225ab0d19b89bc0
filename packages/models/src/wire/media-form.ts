/** In which form the OpenAI wires take a picture or a document. */
import type { Media } from "@kedge/protocol";

export type MediaForm =
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly url: string }
  /** Stands for what the wires have no form for. */
  | { readonly kind: "stub"; readonly text: string };

const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const documentType = "application/pdf";

export function mediaForm({ name, mediaType, base64 }: Media): MediaForm {
  const url = `data:${mediaType};base64,${base64}`;
  if (imageTypes.has(mediaType)) return { kind: "image", url };
  if (mediaType === documentType) return { kind: "file", name, url };
  return { kind: "stub", text: `[${name} (${mediaType}) cannot be shown to this model]` };
}
