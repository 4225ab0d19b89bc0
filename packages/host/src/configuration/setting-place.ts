/** Where in a file a setting stands, and how it is written there; read again when somebody asks, never at a start. */
import { readSettingsText } from "./read-settings-text.ts";
import { isYaml, withoutByteOrderMark } from "./setting-file.ts";
import type { SettingPath } from "./setting-path.ts";

export type SettingPlace = {
  readonly line: number;
  /** As it is written, before anything is put in. */
  readonly written: unknown;
};

export type FindPlace = (path: SettingPath) => SettingPlace | undefined;

/** Finds nothing in a file that is gone or broken by now. */
export async function openPlaces(file: string): Promise<FindPlace> {
  const read = readSettingsText(file);
  if (!read.ok) return () => undefined;
  const source = withoutByteOrderMark(read.text);
  return isYaml(file) ? yamlPlaces(source) : jsonPlaces(source);
}

async function jsonPlaces(source: string): Promise<FindPlace> {
  const { findNodeAtLocation, getNodeValue, parseTree } = await import("jsonc-parser");
  const tree = parseTree(source, [], { allowTrailingComma: true });
  return (path) => {
    const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
    if (node === undefined) return undefined;
    return { line: lineOf(source, node.parent?.offset ?? node.offset), written: getNodeValue(node) };
  };
}

async function yamlPlaces(source: string): Promise<FindPlace> {
  const { isMap, isNode, isScalar, parseDocument } = await import("yaml");
  const document = parseDocument(source);
  return (path) => {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const name = path.at(-1);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    if (pair === undefined || !isNode(pair.key)) return undefined;
    return {
      line: lineOf(source, pair.key.range?.[0] ?? 0),
      written: isNode(pair.value) ? pair.value.toJS(document) : null,
    };
  };
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
