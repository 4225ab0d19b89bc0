/** Attached files: pictures of pixels are shown, everything else is named. */
import type { Media } from "@kedge/protocol";
import { h, type JSX } from "preact";
import { pictureAddress } from "./safe-address.ts";
import { visibleLine } from "./visible-text.ts";

export function Attachment({ media }: { readonly media: Media }): JSX.Element {
  const { name, mediaType, base64 } = media;
  const source = pictureAddress(mediaType, base64);
  const label = `${visibleLine(name)} (${visibleLine(mediaType)})`;
  return h(
    "figure",
    { class: "attachment" },
    source === undefined ? undefined : h("img", { src: source, alt: visibleLine(name), loading: "lazy" }),
    h("figcaption", {}, label),
  );
}
