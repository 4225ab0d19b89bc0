/** A link out of a text. Whoever reads it sees where it leads before following it, and the other side learns nothing. */
import { type ComponentChildren, h, type JSX } from "preact";
import type { Look } from "./look.ts";
import { filePlace, safeAddress } from "./safe-address.ts";
import { visibleLine } from "./visible-text.ts";

export type AddressProps = {
  readonly href: string;
  /** What is shown, as plain text. */
  readonly text: string;
  readonly look: Look;
  readonly children?: ComponentChildren;
};

export function Address({ href, text, look, children }: AddressProps): JSX.Element {
  const file = look.fileHref === undefined ? undefined : filePlace(href);
  if (file !== undefined && look.fileHref !== undefined)
    return h("a", { class: "file-link", href: look.fileHref(file.path, file.line) }, children);
  const address = safeAddress(href);
  if (address === undefined) return h("span", { class: "dead-link" }, children, deadTarget(href, text));
  const shown = visibleLine(address.host);
  return h(
    "span",
    { class: "outside" },
    h(
      "a",
      { href: address.href, target: "_blank", rel: "noopener noreferrer nofollow", referrerpolicy: "no-referrer" },
      children,
    ),
    " ",
    h("span", { class: "host" }, shown),
  );
}

/** An address that cannot be followed is shown, so that a reader can judge it. */
function deadTarget(href: string, text: string): string | undefined {
  return href === "" || href === text ? undefined : ` (${visibleLine(href)})`;
}
