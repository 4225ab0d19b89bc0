/** The languages that can be coloured, by name, other names and endings of files. Grammars are loaded when first met. */
import type { LanguageFn } from "highlight.js";

export type Grammar = {
  readonly load: () => Promise<{ readonly default: LanguageFn }>;
  readonly aliases: readonly string[];
  /** Endings of file names, or whole names. */
  readonly files: readonly string[];
  /** Languages that stand inside this one. */
  readonly inside?: readonly string[];
};

export const grammars: { readonly [language: string]: Grammar } = {
  bash: {
    load: () => import("highlight.js/lib/languages/bash"),
    aliases: ["sh", "zsh", "shell", "shellscript", "console", "terminal"],
    files: [".sh", ".bash", ".zsh", ".bashrc", ".zshrc", ".profile"],
  },
  c: { load: () => import("highlight.js/lib/languages/c"), aliases: ["h"], files: [".c", ".h"] },
  cpp: {
    load: () => import("highlight.js/lib/languages/cpp"),
    aliases: ["c++", "cc", "cxx", "hpp"],
    files: [".cpp", ".cc", ".cxx", ".hpp", ".hh"],
  },
  csharp: { load: () => import("highlight.js/lib/languages/csharp"), aliases: ["c#", "cs"], files: [".cs"] },
  css: { load: () => import("highlight.js/lib/languages/css"), aliases: [], files: [".css"] },
  dart: { load: () => import("highlight.js/lib/languages/dart"), aliases: [], files: [".dart"] },
  diff: { load: () => import("highlight.js/lib/languages/diff"), aliases: ["patch"], files: [".diff", ".patch"] },
  dockerfile: {
    load: () => import("highlight.js/lib/languages/dockerfile"),
    aliases: ["docker"],
    files: ["dockerfile", ".dockerfile"],
    inside: ["bash"],
  },
  elixir: { load: () => import("highlight.js/lib/languages/elixir"), aliases: ["ex"], files: [".ex", ".exs"] },
  go: { load: () => import("highlight.js/lib/languages/go"), aliases: ["golang"], files: [".go"] },
  graphql: { load: () => import("highlight.js/lib/languages/graphql"), aliases: ["gql"], files: [".graphql", ".gql"] },
  haskell: { load: () => import("highlight.js/lib/languages/haskell"), aliases: ["hs"], files: [".hs"] },
  ini: {
    load: () => import("highlight.js/lib/languages/ini"),
    aliases: ["toml", "conf", "dotenv", "env"],
    files: [".ini", ".toml", ".cfg", ".conf", ".env", ".editorconfig"],
  },
  java: { load: () => import("highlight.js/lib/languages/java"), aliases: [], files: [".java"] },
  javascript: {
    load: () => import("highlight.js/lib/languages/javascript"),
    aliases: ["js", "jsx", "mjs", "cjs", "node"],
    files: [".js", ".jsx", ".mjs", ".cjs"],
    inside: ["xml"],
  },
  json: {
    load: () => import("highlight.js/lib/languages/json"),
    aliases: ["jsonc", "json5", "jsonl"],
    files: [".json", ".jsonc", ".json5", ".jsonl"],
  },
  kotlin: { load: () => import("highlight.js/lib/languages/kotlin"), aliases: ["kt", "kts"], files: [".kt", ".kts"] },
  lua: { load: () => import("highlight.js/lib/languages/lua"), aliases: [], files: [".lua"] },
  makefile: {
    load: () => import("highlight.js/lib/languages/makefile"),
    aliases: ["make", "mk"],
    files: ["makefile", ".mk"],
  },
  markdown: {
    load: () => import("highlight.js/lib/languages/markdown"),
    aliases: ["md", "mdx"],
    files: [".md", ".mdx"],
  },
  perl: { load: () => import("highlight.js/lib/languages/perl"), aliases: ["pl"], files: [".pl", ".pm"] },
  php: { load: () => import("highlight.js/lib/languages/php"), aliases: [], files: [".php"] },
  powershell: {
    load: () => import("highlight.js/lib/languages/powershell"),
    aliases: ["ps", "ps1", "pwsh"],
    files: [".ps1", ".psm1"],
  },
  protobuf: { load: () => import("highlight.js/lib/languages/protobuf"), aliases: ["proto"], files: [".proto"] },
  python: {
    load: () => import("highlight.js/lib/languages/python"),
    aliases: ["py", "python3", "pyi"],
    files: [".py", ".pyi"],
  },
  r: { load: () => import("highlight.js/lib/languages/r"), aliases: [], files: [".r"] },
  ruby: {
    load: () => import("highlight.js/lib/languages/ruby"),
    aliases: ["rb"],
    files: [".rb", ".rake", "gemfile", "rakefile"],
  },
  rust: { load: () => import("highlight.js/lib/languages/rust"), aliases: ["rs"], files: [".rs"] },
  scala: { load: () => import("highlight.js/lib/languages/scala"), aliases: [], files: [".scala", ".sc"] },
  scss: { load: () => import("highlight.js/lib/languages/scss"), aliases: ["sass"], files: [".scss"] },
  sql: {
    load: () => import("highlight.js/lib/languages/sql"),
    aliases: ["sqlite", "postgresql", "mysql"],
    files: [".sql"],
  },
  swift: { load: () => import("highlight.js/lib/languages/swift"), aliases: [], files: [".swift"] },
  typescript: {
    load: () => import("highlight.js/lib/languages/typescript"),
    aliases: ["ts", "tsx", "mts", "cts"],
    files: [".ts", ".tsx", ".mts", ".cts"],
    inside: ["xml"],
  },
  xml: {
    load: () => import("highlight.js/lib/languages/xml"),
    aliases: ["html", "xhtml", "svg", "vue", "svelte"],
    files: [".xml", ".html", ".htm", ".svg", ".vue", ".svelte"],
    inside: ["css", "javascript"],
  },
  yaml: { load: () => import("highlight.js/lib/languages/yaml"), aliases: ["yml"], files: [".yaml", ".yml"] },
};

const byName = new Map<string, string>(
  Object.entries(grammars).flatMap(([language, { aliases }]) =>
    [language, ...aliases].map((name) => [name, language] as const),
  ),
);
const byFile = new Map<string, string>(
  Object.entries(grammars).flatMap(([language, { files }]) => files.map((file) => [file, language] as const)),
);

/** From what stands behind a fence, such as `ts title="x"`, or a name; undefined when it is not known. */
export function knownLanguage(label: string): string | undefined {
  const [name = ""] = label
    .trim()
    .toLowerCase()
    .split(/[\s,{:]/);
  return byName.get(name);
}

/** Empty when the file's name tells nothing. */
export function languageOfPath(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  return byFile.get(name) ?? (dot < 0 ? undefined : byFile.get(name.slice(dot))) ?? "";
}
