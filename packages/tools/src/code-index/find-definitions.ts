/** Finds what a piece of code defines, by the nodes of its syntax tree. */
import type { SyntaxNode } from "../syntax/syntax-tree.ts";
import {
  containerNodes,
  functionNodes,
  functionValueNodes,
  memberNodes,
  typeNameNodes,
  valueNodes,
} from "./definition-nodes.ts";

export type Definitions = {
  /** Names that are defined directly, in the order of the text. */
  readonly outer: readonly string[];
  /** Names inside of those. */
  readonly inner: readonly string[];
};

const nameCharactersMax = 80;
const nameDepthMax = 8;

/** What is defined in a node; `inFunction` says whether it stands in one itself, where values are no definitions. */
export function findDefinitions(
  root: SyntaxNode,
  text: string,
  { inFunction }: { readonly inFunction: boolean },
): Definitions {
  const outer: string[] = [];
  const inner: string[] = [];
  const waiting = [{ node: root, isInside: false, inFunction }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { node } = place;
    const name = definedName(node, text, place);
    if (name !== undefined) (place.isInside ? inner : outer).push(name);
    const below = {
      isInside: place.isInside || name !== undefined,
      inFunction: place.inFunction || isFunction(node),
    };
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined && child.children.length > 0) waiting.push({ node: child, ...below });
    }
  }
  return { outer, inner };
}

/** The name that this very node defines. */
export function definedName(
  node: SyntaxNode,
  text: string,
  { inFunction }: { readonly inFunction: boolean },
): string | undefined {
  if (valueNodes.has(node.type)) return inFunction && !hasFunctionValue(node) ? undefined : nameIn(node, text);
  if (memberNodes.has(node.type)) return hasFunctionValue(node) ? nameIn(node, text) : undefined;
  if (isContainer(node)) return node.type === "impl_item" ? implementedType(node, text) : nameIn(node, text);
  return functionNodes.has(node.type) || typeNameNodes.has(node.type) ? nameIn(node, text) : undefined;
}

/** A mere mention, such as `struct point p`, has the type of a definition but no body. */
export function isContainer(node: SyntaxNode): boolean {
  if (!containerNodes.has(node.type)) return false;
  return !node.type.endsWith("_specifier") || node.children.some(({ field }) => field === "body");
}

/** Whether what stands inside is nobody else's matter. */
export function isFunction({ type }: SyntaxNode): boolean {
  return functionNodes.has(type) || (functionValueNodes.has(type) && type !== "class");
}

function hasFunctionValue({ children }: SyntaxNode): boolean {
  return children.some(({ field, type }) => (field === "value" || field === "right") && functionValueNodes.has(type));
}

/** Down the declarators, which in the C family surround the name. */
function nameIn(node: SyntaxNode, text: string): string | undefined {
  let current = node;
  for (let depth = 0; depth < nameDepthMax; depth += 1) {
    const byField = (wanted: string) => current.children.find(({ field }) => field === wanted);
    const name = byField("name") ?? byField("property") ?? byField("key");
    if (name !== undefined && current.type !== "qualified_identifier")
      return name.type.endsWith("pattern") ? undefined : cutName(name, text);
    const assigned = byField("left");
    if (assigned !== undefined) return assigned.children.length === 0 ? cutName(assigned, text) : undefined;
    const declarator = byField("declarator") ?? (depth > 0 ? lastDeclarator(current) : undefined);
    if (declarator === undefined) return depth > 0 ? cutName(current, text) : undefined;
    current = declarator;
  }
  return undefined;
}

/** Some declarators hold the next one without saying so. */
function lastDeclarator({ type, children }: SyntaxNode): SyntaxNode | undefined {
  return type.endsWith("_declarator") ? children.findLast(({ isNamed }) => isNamed) : undefined;
}

function implementedType(node: SyntaxNode, text: string): string | undefined {
  const type = node.children.find(({ field }) => field === "type");
  return type && cutName(type, text);
}

function cutName({ start, end }: SyntaxNode, text: string): string | undefined {
  const name = text.slice(start, Math.min(end, start + nameCharactersMax)).replace(/\s+/g, " ");
  return name === "" ? undefined : name.replace(/^["'`]|["'`]$/g, "");
}
