/** Which colour of the theme each scope of a grammar has. */
import type { ForegroundToken } from "../theme/theme.ts";

/** `undefined` stands for text as usual inside something coloured, such as an expression in a string. */
const colors: { readonly [scope: string]: ForegroundToken | undefined } = {
  addition: "toolDiffAdded",
  attr: "syntaxVariable",
  attribute: "syntaxVariable",
  built_in: "syntaxType",
  bullet: "syntaxOperator",
  "char.escape": "syntaxNumber",
  class: "syntaxType",
  code: "syntaxString",
  comment: "syntaxComment",
  deletion: "toolDiffRemoved",
  doctag: "syntaxKeyword",
  formula: "syntaxString",
  function: "syntaxFunction",
  keyword: "syntaxKeyword",
  link: "syntaxString",
  literal: "syntaxNumber",
  meta: "syntaxKeyword",
  name: "syntaxKeyword",
  number: "syntaxNumber",
  operator: "syntaxOperator",
  property: "syntaxVariable",
  punctuation: "syntaxPunctuation",
  quote: "syntaxComment",
  regexp: "syntaxString",
  section: "syntaxFunction",
  "selector-attr": "syntaxVariable",
  "selector-class": "syntaxType",
  "selector-id": "syntaxType",
  "selector-pseudo": "syntaxFunction",
  "selector-tag": "syntaxKeyword",
  string: "syntaxString",
  subst: undefined,
  symbol: "syntaxVariable",
  tag: "syntaxPunctuation",
  "template-tag": "syntaxKeyword",
  "template-variable": "syntaxVariable",
  title: "syntaxFunction",
  "title.class": "syntaxType",
  type: "syntaxType",
  variable: "syntaxVariable",
  "variable.constant": "syntaxNumber",
  "variable.language": "syntaxKeyword",
};

/** The nearest name counts: `title.function.invoke` is a `title`. Unknown scopes keep the colour around them. */
export function scopeColor(scope: string, around: ForegroundToken | undefined): ForegroundToken | undefined {
  for (let name = scope; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    if (Object.hasOwn(colors, name)) return colors[name];
  }
  return around;
}
