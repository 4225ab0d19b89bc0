/** Elements as the text of a page, for parts that are functions of their data alone. */
import type { ComponentChild, ComponentChildren, VNode } from "preact";

const voidElements: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "meta"]);
const elementName = /^[a-z][a-z0-9]*$/;
const attributeName = /^[a-zA-Z][a-zA-Z-]*$/;
/** They belong to the library, or would bring text in as markup. */
const leftOut: ReadonlySet<string> = new Set(["children", "key", "ref", "dangerouslySetInnerHTML"]);

export function renderStatic(children: ComponentChildren): string {
  if (Array.isArray(children)) return children.map(renderStatic).join("");
  if (children === null || children === undefined || typeof children === "boolean") return "";
  if (typeof children === "object") return isElement(children) ? renderElement(children) : "";
  return escapeHtml(String(children));
}

function isElement(child: ComponentChild & object): child is VNode<{ readonly children?: ComponentChildren }> {
  return "type" in child && "props" in child;
}

function renderElement({ type, props }: VNode<{ readonly children?: ComponentChildren }>): string {
  if (typeof type === "function") {
    // Parts are functions without state, never classes.
    const draw = type as unknown as (given: object) => ComponentChildren;
    return renderStatic(draw(props));
  }
  if (!elementName.test(type)) throw new Error(`${type} is not the name of an element`);
  const head = `<${type}${attributes(props)}>`;
  if (voidElements.has(type)) return head;
  const inside = renderStatic(props.children);
  // A parser drops the first line feed of preformatted text.
  return `${head}${type === "pre" && inside.startsWith("\n") ? "\n" : ""}${inside}</${type}>`;
}

function attributes(props: object): string {
  let text = "";
  for (const [name, value] of Object.entries(props)) {
    if (leftOut.has(name) || typeof value === "function" || !attributeName.test(name)) continue;
    if (value === undefined || value === null || value === false) continue;
    const shown = name.toLowerCase();
    text += value === true ? ` ${shown}` : ` ${shown}="${escapeHtml(String(value))}"`;
  }
  return text;
}

/** Also what a parser would change by itself: carriage returns, and characters that no document may hold. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\r\0]/g, (sign) => (sign === "\0" ? "\uFFFD" : `&#${sign.charCodeAt(0)};`));
}
