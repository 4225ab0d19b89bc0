/** The language servers that kedge knows by name. They are used where they are installed, and never downloaded. */
import type { JsonObject } from "@kedge/protocol";
import type { ServerDefinition } from "./server-definition.ts";

type Row = Omit<ServerDefinition, "origin">;

const scripts = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "typescriptreact",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascriptreact",
};
const c = {
  ".c": "c",
  ".h": "c",
  ".cpp": "cpp",
  ".cc": "cpp",
  ".cxx": "cpp",
  ".hpp": "cpp",
  ".hh": "cpp",
  ".m": "objective-c",
};

/** Types are not fetched from the registry behind the user's back. */
const noAcquisition: JsonObject = { tsserver: { automaticTypeAcquisition: { enabled: false } } };
const typescriptSettings: JsonObject = {
  "js/ts": noAcquisition,
  typescript: { disableAutomaticTypeAcquisition: true, ...noAcquisition },
  javascript: { disableAutomaticTypeAcquisition: true, ...noAcquisition },
};

const rows: readonly Row[] = [
  {
    name: "typescript",
    languages: scripts,
    commands: [
      ["tsc", "--lsp", "--stdio"],
      ["typescript-language-server", "--stdio"],
      ["vtsls", "--stdio"],
    ],
    markers: ["tsconfig.json", "jsconfig.json"],
    needsMarker: true,
    settings: typescriptSettings,
    initialization: { disableAutomaticTypingAcquisition: true },
  },
  {
    name: "python",
    languages: { ".py": "python", ".pyi": "python" },
    commands: [["pyright-langserver", "--stdio"], ["basedpyright-langserver", "--stdio"], ["pylsp"]],
    markers: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"],
    // Asks the interpreter that the project names where its packages lie.
    runsProjectCode: true,
    settings: { python: { analysis: { diagnosticMode: "openFilesOnly", autoSearchPaths: true } } },
  },
  {
    name: "go",
    languages: { ".go": "go", "go.mod": "go.mod" },
    commands: [["gopls"]],
    markers: ["go.work", "go.mod"],
    runsProjectCode: true,
  },
  {
    name: "rust",
    languages: { ".rs": "rust" },
    commands: [["rust-analyzer"]],
    markers: ["Cargo.toml"],
    needsMarker: true,
    runsProjectCode: true,
  },
  {
    name: "clangd",
    languages: c,
    commands: [["clangd", "--background-index=false"], ["clangd-19"], ["clangd-16"], ["clangd-14"]],
    markers: ["compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "Makefile"],
  },
  {
    name: "bash",
    languages: { ".sh": "shellscript", ".bash": "shellscript", ".ksh": "shellscript" },
    commands: [["bash-language-server", "start"]],
    markers: [],
    looksAtOneFile: true,
    settings: { bashIde: { backgroundAnalysisMaxFiles: 0, shfmt: { path: "" } } },
  },
  {
    name: "json",
    languages: { ".json": "json", ".jsonc": "jsonc" },
    commands: [["vscode-json-language-server", "--stdio"]],
    markers: [],
    looksAtOneFile: true,
    // Schemas are read from files alone.
    initialization: { provideFormatter: false, handledSchemaProtocols: ["file"] },
    settings: { json: { validate: { enable: true } } },
  },
  {
    name: "css",
    languages: { ".css": "css", ".scss": "scss", ".less": "less" },
    commands: [["vscode-css-language-server", "--stdio"]],
    markers: [],
    looksAtOneFile: true,
    settings: { css: { validate: true }, scss: { validate: true }, less: { validate: true } },
  },
  {
    name: "html",
    languages: { ".html": "html", ".htm": "html" },
    commands: [["vscode-html-language-server", "--stdio"]],
    markers: [],
    looksAtOneFile: true,
  },
  {
    name: "yaml",
    languages: { ".yaml": "yaml", ".yml": "yaml" },
    commands: [["yaml-language-server", "--stdio"]],
    markers: [],
    looksAtOneFile: true,
    // A comment in a file names the address of a schema, and the server fetches it.
    runsProjectCode: true,
    settings: { yaml: { validate: true, schemaStore: { enable: false } } },
  },
  {
    name: "lua",
    languages: { ".lua": "lua" },
    commands: [["lua-language-server"]],
    markers: [".luarc.json"],
    runsProjectCode: true,
  },
  { name: "zig", languages: { ".zig": "zig" }, commands: [["zls"]], markers: ["build.zig"], runsProjectCode: true },
  {
    name: "java",
    languages: { ".java": "java" },
    commands: [["jdtls"]],
    markers: ["pom.xml", "build.gradle", "build.gradle.kts"],
    needsMarker: true,
    runsProjectCode: true,
    startMsMax: 60_000,
  },
  {
    name: "kotlin",
    languages: { ".kt": "kotlin", ".kts": "kotlin" },
    commands: [["kotlin-lsp", "--stdio"], ["kotlin-language-server"]],
    markers: ["build.gradle.kts", "build.gradle", "pom.xml"],
    needsMarker: true,
    runsProjectCode: true,
  },
  {
    name: "csharp",
    languages: { ".cs": "csharp" },
    commands: [["csharp-ls"], ["omnisharp", "-lsp"]],
    markers: ["global.json", "Directory.Build.props"],
    runsProjectCode: true,
  },
  {
    name: "ruby",
    languages: { ".rb": "ruby", ".rake": "ruby" },
    commands: [["ruby-lsp"], ["solargraph", "stdio"]],
    markers: ["Gemfile"],
    runsProjectCode: true,
  },
  {
    name: "php",
    languages: { ".php": "php" },
    commands: [
      ["intelephense", "--stdio"],
      ["phpactor", "language-server"],
    ],
    markers: ["composer.json"],
    runsProjectCode: true,
  },
  {
    name: "swift",
    languages: { ".swift": "swift" },
    commands: [["sourcekit-lsp"]],
    markers: ["Package.swift"],
    runsProjectCode: true,
  },
  {
    name: "dart",
    languages: { ".dart": "dart" },
    commands: [["dart", "language-server"]],
    markers: ["pubspec.yaml"],
    runsProjectCode: true,
  },
  {
    name: "elixir",
    languages: { ".ex": "elixir", ".exs": "elixir" },
    commands: [["elixir-ls"], ["language_server.sh"]],
    markers: ["mix.exs"],
    runsProjectCode: true,
  },
  {
    name: "haskell",
    languages: { ".hs": "haskell", ".lhs": "haskell" },
    commands: [["haskell-language-server-wrapper", "--lsp"]],
    markers: ["stack.yaml", "cabal.project", "hie.yaml"],
    runsProjectCode: true,
  },
  {
    name: "ocaml",
    languages: { ".ml": "ocaml", ".mli": "ocaml" },
    commands: [["ocamllsp"]],
    markers: ["dune-project"],
    runsProjectCode: true,
  },
  {
    name: "terraform",
    languages: { ".tf": "terraform", ".tfvars": "terraform-vars" },
    commands: [["terraform-ls", "serve"]],
    markers: [".terraform.lock.hcl"],
    runsProjectCode: true,
  },
  {
    name: "svelte",
    languages: { ".svelte": "svelte" },
    commands: [["svelteserver", "--stdio"]],
    markers: ["package.json"],
    runsProjectCode: true,
  },
  {
    name: "vue",
    languages: { ".vue": "vue" },
    commands: [["vue-language-server", "--stdio"]],
    markers: ["package.json"],
    runsProjectCode: true,
  },
  {
    name: "dockerfile",
    languages: { dockerfile: "dockerfile" },
    commands: [["docker-langserver", "--stdio"]],
    markers: [],
    looksAtOneFile: true,
  },
  {
    name: "toml",
    languages: { ".toml": "toml" },
    commands: [["taplo", "lsp", "stdio"]],
    markers: [],
    looksAtOneFile: true,
  },
  {
    name: "nix",
    languages: { ".nix": "nix" },
    commands: [["nixd"], ["nil"]],
    markers: ["flake.nix"],
    runsProjectCode: true,
  },
  { name: "latex", languages: { ".tex": "latex" }, commands: [["texlab"]], markers: [".latexmkrc"] },
];

export const serverTable: readonly ServerDefinition[] = rows.map((row) => ({ ...row, origin: "kedge" }));
