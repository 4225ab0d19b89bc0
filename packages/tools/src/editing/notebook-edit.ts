/** The `notebook_edit` tool: replaces, inserts or deletes one cell of a Jupyter notebook. */
import { type JsonSchema, nearNames, type Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { hashContent } from "../file-content.ts";
import { parseInput } from "../tool-input.ts";
import { createChangeChecks, makeChange, type Plan, type Planned } from "./file-change.ts";
import { describeGenerated } from "./generated-files.ts";
import { deleteCell, insertCell, type JsonCell, type Notebook, parseNotebook, replaceCell } from "./notebook-cells.ts";

export type NotebookEditInput = {
  readonly path: string;
  readonly cellId?: string;
  readonly mode: "replace" | "insert" | "delete";
  readonly type?: "code" | "markdown";
  readonly source?: string;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    cellId: { type: "string", minLength: 1 },
    mode: { type: "string", enum: ["replace", "insert", "delete"] },
    type: { type: "string", enum: ["code", "markdown"] },
    source: { type: "string" },
  },
  required: ["path", "mode"],
};

export type NotebookEditParts = {
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

export function createNotebookEditTool({
  blockGenerated = () => true,
}: NotebookEditParts = {}): Tool<NotebookEditInput> {
  const planOf = (input: NotebookEditInput) => planEdit(input, blockGenerated);
  return {
    name: "notebook_edit",
    description: textBeside(import.meta.url, "./notebook-edit.md"),
    inputSchema,
    searchHint: "jupyter notebook ipynb cell: replace, insert, delete, change code or markdown",
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<NotebookEditInput>(inputSchema, input),
    ...createChangeChecks<NotebookEditInput>((input) => input.path, planOf),
    run: (input, context) => makeChange(input.path, planOf(input), context),
  };
}

function planEdit(input: NotebookEditInput, blockGenerated: () => boolean): Plan {
  return (before) => {
    if (before === undefined) return { ok: false, problem: `${input.path} does not exist; check the path.` };
    const parsed = parseNotebook(input.path, before.text);
    if (!parsed.ok) return parsed;
    const generated = blockGenerated() ? describeGenerated(input.path, headerOf(parsed.notebook)) : undefined;
    return generated === undefined ? planCell(input, parsed.notebook) : { ok: false, problem: generated };
  };
}

/** Where a program that writes notebooks says so: the first cell, as the text that a reader sees. */
function headerOf({ cells }: Notebook): string {
  const source = cells[0]?.["source"];
  return Array.isArray(source) ? source.join("") : String(source ?? "");
}

function planCell(input: NotebookEditInput, notebook: Notebook): Planned {
  const refuse = (problem: string): Planned => ({ ok: false, problem });
  const { cellId, mode, source, path } = input;
  if (source === undefined && mode !== "delete")
    return refuse(`source is missing; ${mode} needs the text of the cell.`);
  if (cellId === undefined && mode !== "insert")
    return refuse(`cellId is missing; name the cell to ${mode}. ${path} has ${countCells(notebook)}.`);
  const index = cellId === undefined ? -1 : findCell(notebook, cellId);
  const cell = notebook.cells[index];
  if (cellId !== undefined && cell === undefined) return refuse(describeUnknown(path, cellId, notebook));
  switch (mode) {
    case "delete":
      return { ok: true, after: deleteCell(notebook, index) };
    case "insert":
      return { ok: true, after: insertCell(notebook, index + 1, newCell(input, notebook)) };
    case "replace": {
      const after = replaceCell(notebook, index, changedCell(cell ?? {}, input));
      if (after === notebook.text) return refuse(`The cell says just that already; nothing would change in ${path}.`);
      return { ok: true, after };
    }
  }
}

/** An id counts before a number, since any text may be an id. Both are accepted in the form in which `read` shows them. */
function findCell({ cells }: Notebook, cellId: string): number {
  const wanted = cellId.trim();
  const byId = cells.findIndex((cell) => cell["id"] === wanted || `id:${String(cell["id"])}` === wanted);
  if (byId !== -1) return byId;
  const number = /^cell:(\d+)$/.exec(wanted)?.[1];
  return number === undefined ? -1 : Number(number) - 1;
}

const nearIdsMax = 3;

function describeUnknown(path: string, cellId: string, notebook: Notebook): string {
  const ids = notebook.cells.flatMap((cell) => (typeof cell["id"] === "string" ? [cell["id"]] : []));
  const near = nearNames(cellId, ids, { countMax: nearIdsMax });
  const similar = near.length === 0 ? "" : ` Similar ids: ${near.join(", ")}.`;
  return `There is no cell ${cellId} in ${path}, which has ${countCells(notebook)}.${similar}`;
}

function countCells({ cells }: Notebook): string {
  if (cells.length === 0) return "no cells";
  return cells.length === 1 ? "1 cell, cell:1" : `${cells.length} cells, cell:1 to cell:${cells.length}`;
}

/** What belongs to code only goes with it; all else of the cell stays, in its order. */
function changedCell(cell: JsonCell, { source = "", type }: NotebookEditInput): JsonCell {
  const { execution_count: _count, outputs: _outputs, ...rest } = cell;
  const cellType = type ?? cell["cell_type"];
  const common = { ...cell, cell_type: cellType, source: writeSource(source, cell["source"]) };
  if (cellType === "code") return { ...common, execution_count: null, outputs: [] };
  return { ...rest, cell_type: cellType, source: common.source };
}

/** With its names in the order in which Jupyter writes them. */
function newCell({ source = "", type = "code" }: NotebookEditInput, notebook: Notebook): JsonCell {
  return {
    cell_type: type,
    ...(type === "code" && { execution_count: null }),
    ...(notebook.hasIds && { id: newId(notebook, source) }),
    metadata: {},
    ...(type === "code" && { outputs: [] }),
    source: writeSource(source, notebook.cells[0]?.["source"]),
  };
}

const idCharacters = 8;

/** Made of the text, so that planning twice gives the same cell. */
function newId({ cells }: Notebook, source: string): string {
  const taken = new Set(cells.map((cell) => cell["id"]));
  for (let attempt = 0; ; attempt += 1) {
    const id = hashContent(`${attempt} ${source}`).slice(0, idCharacters);
    if (!taken.has(id)) return id;
  }
}

/** As a list of lines, as Jupyter does, unless the text is one string in this notebook. */
function writeSource(source: string, present: unknown): string | readonly string[] {
  if (typeof present === "string") return source;
  return source === "" ? [] : source.split(/(?<=\n)/);
}
