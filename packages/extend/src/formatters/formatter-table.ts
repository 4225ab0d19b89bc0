/** The formatters that kedge knows by name. One runs where it is installed and the project shows that it uses it. */

export type FormatterDefinition = {
  readonly name: string;
  /** With their dot. */
  readonly extensions: readonly string[];
  /** Program and arguments; `$FILE` stands for the file. */
  readonly command: readonly string[];
  /** Files in or above the directory of the file that show that the project uses it. */
  readonly markers: readonly string[];
  /** A development dependency or table entry of the project that shows the same, by the file that names it. */
  readonly mentions?: { readonly [file: string]: string };
  /** One style for all who use the language: it runs without a marker. */
  readonly needsNoMarker?: true;
  /** Its configuration is code, or it loads plugins that the project names. */
  readonly runsProjectCode?: true;
  readonly environment?: { readonly [name: string]: string };
  readonly origin: string;
};

type Row = Omit<FormatterDefinition, "origin">;

const web = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".json", ".jsonc", ".css"];
const prettierMarkers = [
  ".prettierrc",
  ".prettierrc.json",
  ".prettierrc.yaml",
  ".prettierrc.yml",
  ".prettierrc.toml",
  ".prettierrc.js",
  ".prettierrc.cjs",
  ".prettierrc.mjs",
  "prettier.config.js",
  "prettier.config.cjs",
  "prettier.config.mjs",
  "prettier.config.ts",
];
const c = [".c", ".h", ".cpp", ".cc", ".cxx", ".hpp", ".hh", ".m", ".mm"];

const rows: readonly Row[] = [
  {
    name: "biome",
    extensions: web,
    command: ["biome", "format", "--write", "$FILE"],
    markers: ["biome.json", "biome.jsonc"],
  },
  {
    name: "prettier",
    extensions: [...web, ".scss", ".less", ".html", ".vue", ".svelte", ".md", ".mdx", ".yaml", ".yml", ".graphql"],
    command: ["prettier", "--write", "$FILE"],
    markers: prettierMarkers,
    mentions: { "package.json": '"prettier"' },
    runsProjectCode: true,
  },
  {
    name: "deno",
    extensions: [".ts", ".tsx", ".js", ".jsx", ".json", ".md"],
    command: ["deno", "fmt", "$FILE"],
    markers: ["deno.json", "deno.jsonc"],
  },
  { name: "gofmt", extensions: [".go"], command: ["gofmt", "-w", "$FILE"], markers: [], needsNoMarker: true },
  {
    name: "ruff",
    extensions: [".py", ".pyi"],
    command: ["ruff", "format", "$FILE"],
    markers: ["ruff.toml", ".ruff.toml"],
    mentions: { "pyproject.toml": "[tool.ruff", "requirements.txt": "ruff", "requirements-dev.txt": "ruff" },
  },
  {
    name: "black",
    extensions: [".py", ".pyi"],
    command: ["black", "--quiet", "$FILE"],
    markers: [],
    mentions: { "pyproject.toml": "[tool.black", "requirements.txt": "black", "requirements-dev.txt": "black" },
  },
  {
    name: "rustfmt",
    extensions: [".rs"],
    command: ["rustfmt", "$FILE"],
    markers: ["rustfmt.toml", ".rustfmt.toml", "Cargo.toml"],
    // A toolchain file decides which program it is.
    runsProjectCode: true,
  },
  {
    name: "clang-format",
    extensions: c,
    command: ["clang-format", "-i", "$FILE"],
    markers: [".clang-format", "_clang-format"],
  },
  {
    name: "shfmt",
    extensions: [".sh", ".bash"],
    command: ["shfmt", "-w", "$FILE"],
    markers: [".editorconfig"],
  },
  {
    name: "terraform",
    extensions: [".tf", ".tfvars"],
    command: ["terraform", "fmt", "$FILE"],
    markers: [],
    needsNoMarker: true,
  },
  {
    name: "zig",
    extensions: [".zig", ".zon"],
    command: ["zig", "fmt", "$FILE"],
    markers: [],
    needsNoMarker: true,
  },
  { name: "gleam", extensions: [".gleam"], command: ["gleam", "format", "$FILE"], markers: ["gleam.toml"] },
  {
    name: "dart",
    extensions: [".dart"],
    command: ["dart", "format", "$FILE"],
    markers: ["pubspec.yaml"],
    runsProjectCode: true,
  },
  {
    name: "mix",
    extensions: [".ex", ".exs", ".heex"],
    command: ["mix", "format", "$FILE"],
    markers: [".formatter.exs"],
    runsProjectCode: true,
  },
  {
    name: "ktlint",
    extensions: [".kt", ".kts"],
    command: ["ktlint", "--format", "$FILE"],
    markers: [".editorconfig"],
    runsProjectCode: true,
  },
  { name: "stylua", extensions: [".lua"], command: ["stylua", "$FILE"], markers: ["stylua.toml", ".stylua.toml"] },
  { name: "nixfmt", extensions: [".nix"], command: ["nixfmt", "$FILE"], markers: ["flake.nix"] },
  {
    name: "ocamlformat",
    extensions: [".ml", ".mli"],
    command: ["ocamlformat", "-i", "$FILE"],
    markers: [".ocamlformat"],
  },
  {
    name: "taplo",
    extensions: [".toml"],
    command: ["taplo", "format", "$FILE"],
    markers: ["taplo.toml", ".taplo.toml"],
  },
];

export const formatterTable: readonly FormatterDefinition[] = rows.map((row) => ({ ...row, origin: "kedge" }));
