/** The `lsp` tool: what language servers know of code. Only its description is loaded with it; its work when it is called. */
import { resolve, sep } from "node:path";
import {
  checkSchema,
  describeProblems,
  isJsonObject,
  type JsonSchema,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

const lspOperations = [
  "definition",
  "references",
  "implementations",
  "hover",
  "documentSymbols",
  "workspaceSymbols",
  "incomingCalls",
  "outgoingCalls",
  "diagnostics",
  "renamePreview",
  "codeActions",
] as const;

export type LspOperation = (typeof lspOperations)[number];

export type LspInput = {
  readonly op: LspOperation;
  readonly filePath?: string;
  readonly line?: number;
  readonly column?: number;
  readonly query?: string;
  readonly newName?: string;
};

/** They are about one place in a file. */
const positioned: ReadonlySet<LspOperation> = new Set([
  "definition",
  "references",
  "implementations",
  "hover",
  "incomingCalls",
  "outgoingCalls",
  "renamePreview",
  "codeActions",
]);

const position = { type: "integer", minimum: 1 } as const;
const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    op: { type: "string", enum: [...lspOperations] },
    filePath: { type: "string", minLength: 1 },
    line: position,
    column: position,
    query: { type: "string", minLength: 1 },
    newName: { type: "string", minLength: 1 },
  },
  required: ["op"],
};

export function createLspTool(run: (input: LspInput, context: ToolContext) => Promise<ToolOutput>): Tool<LspInput> {
  return {
    name: "lsp",
    description: textBeside(import.meta.url, "./lsp.md").trim(),
    inputSchema,
    searchHint: "language server definition references hover symbols implementations callers rename diagnostics types",
    resultCharactersMax: 30_000,
    parse(input) {
      const problems = checkSchema(inputSchema, withoutNull(input));
      // The value has just passed the schema of its type.
      return problems.length > 0
        ? { ok: false, report: describeProblems(problems) }
        : { ok: true, input: withoutNull(input) as LspInput };
    },
    validate: async (input) => missingOf(input),
    needs({ op, filePath }, cwd) {
      if (filePath === undefined) return [{ permission: "lsp", patterns: [op], always: [op], access: "read" }];
      const path = resolve(cwd, filePath);
      const pattern = path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : path;
      return [{ permission: "lsp", patterns: [pattern], always: [pattern], access: "read", paths: [path] }];
    },
    readOnly: () => true,
    concurrencySafe: () => true,
    run,
  };
}

/** Several models send null for what they leave out. */
function withoutNull(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function missingOf({ op, filePath, line, column, query, newName }: LspInput): string | undefined {
  if (op === "workspaceSymbols") return query === undefined ? "workspaceSymbols wants `query`." : undefined;
  if (op === "diagnostics") return undefined;
  if (filePath === undefined) return `${op} wants \`filePath\`.`;
  if (!positioned.has(op)) return undefined;
  if (line === undefined) return `${op} wants \`line\`.`;
  if (column === undefined && query === undefined)
    return `${op} wants \`column\`, or in \`query\` the name in that line.`;
  return op === "renamePreview" && newName === undefined ? "renamePreview wants `newName`." : undefined;
}
