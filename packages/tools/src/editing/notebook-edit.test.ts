import { chmodSync, statSync } from "node:fs";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { deleteCell, insertCell, parseNotebook, replaceCell } from "./notebook-cells.ts";
import { createNotebookEditTool, type NotebookEditInput } from "./notebook-edit.ts";

const tool = createNotebookEditTool();
let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

// The numbers and the escape are written as no JSON writer of this language writes them.
const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"weight": 1.0},
   "source": ["# T\\u00e9st"]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "load-data",
   "metadata": {},
   "outputs": [{"data": {"cells": [1.50]}, "output_type": "display_data"}],
   "source": [
    "a = 1\\n",
    "b"
   ]
  }
 ],
 "metadata": {"big": 12345678901234567890},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

async function known(content: string, name = "n.ipynb"): Promise<string> {
  const path = workshop.put(name, content);
  await workshop.run("read", { filePath: name });
  return path;
}

type Edit = Omit<NotebookEditInput, "path">;

function parsed(edit: Edit): NotebookEditInput {
  const result = tool.parse({ path: "n.ipynb", ...edit });
  if (!result.ok) throw new Error(result.report);
  return result.input;
}
const edit = (input: Edit) => tool.run(parsed(input), workshop.newContext());
const validate = async (input: Edit) => tool.validate?.(parsed(input), workshop.newContext());

const codeCell = notebook.slice(notebook.indexOf('  {\n   "cell_type": "code"'), notebook.indexOf("\n ],"));

test("replacing a cell of code clears its outputs and leaves every other byte alone", async () => {
  chmodSync(await known(notebook), 0o640);
  const input: Edit = { mode: "replace", cellId: "load-data", source: "c = 2\n\nd" };
  const changed = notebook.replace(
    codeCell,
    `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "load-data",
   "metadata": {},
   "outputs": [],
   "source": [
    "c = 2\\n",
    "\\n",
    "d"
   ]
  }`,
  );
  expect(await tool.preview?.(parsed(input), workshop.newContext())).toContain('+    "c = 2\\n",');
  expect(await edit(input)).toMatchObject({ output: "Changed n.ipynb (+5 -4 lines).", title: "n.ipynb" });
  expect(workshop.text("n.ipynb")).toBe(changed);
  expect(statSync(workshop.at("n.ipynb")).mode & 0o7777).toBe(0o640);
  expect(await edit(input)).toEqual({
    output: "The cell says just that already; nothing would change in n.ipynb.",
    isError: true,
    title: "n.ipynb",
  });
});

test("a cell can change its type", async () => {
  await known(notebook);
  await edit({ mode: "replace", cellId: "cell:2", type: "markdown", source: "text" });
  await edit({ mode: "replace", cellId: "cell:1", type: "code", source: "" });
  expect(JSON.parse(workshop.text("n.ipynb")).cells).toEqual([
    { cell_type: "code", id: "intro", metadata: { weight: 1 }, source: [], execution_count: null, outputs: [] },
    { cell_type: "markdown", id: "load-data", metadata: {}, source: ["text"] },
  ]);
});

test("cells are inserted behind another or first, with an id where the format has them", async () => {
  await known(notebook);
  await edit({ mode: "insert", cellId: "id:intro", source: "x = 1\n" });
  await edit({ mode: "insert", type: "markdown", source: "first" });
  const text = workshop.text("n.ipynb");
  const code = `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "ID",
   "metadata": {},
   "outputs": [],
   "source": [
    "x = 1\\n"
   ]
  },
`;
  const markdown = `  {
   "cell_type": "markdown",
   "id": "ID",
   "metadata": {},
   "source": [
    "first"
   ]
  },
`;
  const expected = notebook.replace(codeCell, code + codeCell).replace('"cells": [\n', `"cells": [\n${markdown}`);
  expect(text.replaceAll(/"id": "[0-9a-f]{8}"/g, '"id": "ID"')).toBe(expected);
  await edit({ mode: "insert", cellId: "cell:4", source: "x = 1\n" });
  const cells: readonly { readonly id: string }[] = JSON.parse(workshop.text("n.ipynb")).cells;
  expect(new Set(cells.map(({ id }) => id)).size).toBe(5);
});

test("the first, the last and the only cell can be deleted, and an empty notebook filled", async () => {
  await known(notebook);
  await edit({ mode: "delete", cellId: "cell:2" });
  expect(workshop.text("n.ipynb")).toBe(notebook.replace(`,\n${codeCell}`, ""));
  await edit({ mode: "delete", cellId: "cell:1" });
  const empty = workshop.text("n.ipynb");
  expect(empty).toBe(
    `${notebook.slice(0, notebook.indexOf("[") + 1)}${notebook.slice(notebook.indexOf('],\n "metadata"'))}`,
  );
  await edit({ mode: "insert", type: "markdown", source: "a" });
  expect(workshop.text("n.ipynb").replace(/"id": "[0-9a-f]{8}"/, '"id": "ID"')).toBe(
    empty.replace(
      '"cells": []',
      '"cells": [\n  {\n   "cell_type": "markdown",\n   "id": "ID",\n   "metadata": {},\n   "source": [\n    "a"\n   ]\n  }\n ]',
    ),
  );
});

test("one line stays one line, strings stay strings, carriage returns and the missing last line ending stay", async () => {
  const compact = '{"cells": [{"cell_type":"raw","source":"a","metadata":{}}], "nbformat": 4, "nbformat_minor": 4}';
  await known(compact);
  await edit({ mode: "replace", cellId: "cell:1", source: "b\nc" });
  expect(workshop.text("n.ipynb")).toBe(compact.replace('"a"', '"b\\nc"'));
  await edit({ mode: "insert", cellId: "cell:1", source: "d" });
  expect(JSON.parse(workshop.text("n.ipynb")).cells[1]).toEqual({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source: "d",
  });
  expect(workshop.text("n.ipynb")).not.toContain("\n");

  await known(notebook.replaceAll("\n", "\r\n"));
  await edit({ mode: "replace", cellId: "intro", source: "new" });
  expect(workshop.text("n.ipynb")).toBe(
    notebook
      .replace('"metadata": {"weight": 1.0}', '"metadata": {\n    "weight": 1\n   }')
      .replace('["# T\\u00e9st"]', '[\n    "new"\n   ]')
      .replaceAll("\n", "\r\n"),
  );
});

test.each<[string, string, Edit, string]>([
  [
    "no JSON",
    '{"cells": [',
    { mode: "delete", cellId: "a" },
    "n.ipynb is damaged: Unexpected end of JSON input. Repair its JSON as text first.",
  ],
  [
    "another file",
    '{"a": 1}',
    { mode: "delete", cellId: "a" },
    "n.ipynb is not a notebook: it has no nbformat. Change it as text.",
  ],
  [
    "a list",
    "[1]",
    { mode: "delete", cellId: "a" },
    "n.ipynb is not a notebook: it has no nbformat. Change it as text.",
  ],
  [
    "an old notebook",
    '{"nbformat": 3, "worksheets": []}',
    { mode: "delete", cellId: "a" },
    "n.ipynb has nbformat 3; only 4 can be changed. Convert it with jupyter nbconvert.",
  ],
  [
    "no cells",
    '{"nbformat": 4, "cells": [1]}',
    { mode: "delete", cellId: "a" },
    "n.ipynb is damaged: it has no list of cells. Repair its JSON as text first.",
  ],
  [
    "an unknown id",
    notebook,
    { mode: "delete", cellId: "load_data" },
    "There is no cell load_data in n.ipynb, which has 2 cells, cell:1 to cell:2. Similar ids: load-data.",
  ],
  [
    "a number past the end",
    notebook,
    { mode: "insert", cellId: "cell:3", source: "" },
    "There is no cell cell:3 in n.ipynb, which has 2 cells, cell:1 to cell:2.",
  ],
  [
    "the number 0",
    notebook,
    { mode: "delete", cellId: "cell:0" },
    "There is no cell cell:0 in n.ipynb, which has 2 cells, cell:1 to cell:2.",
  ],
  [
    "no id",
    notebook,
    { mode: "replace", source: "" },
    "cellId is missing; name the cell to replace. n.ipynb has 2 cells, cell:1 to cell:2.",
  ],
  ["no source", notebook, { mode: "insert" }, "source is missing; insert needs the text of the cell."],
])("%s is refused in words", async (_name, content, input, problem) => {
  await known(content);
  expect(await validate(input)).toBe(problem);
  expect((await edit(input)).isError).toBe(true);
  expect(workshop.text("n.ipynb")).toBe(content);
});

test("the notebook must exist, have been read and be unchanged", async () => {
  const input: Edit = { mode: "delete", cellId: "intro" };
  expect(await validate(input)).toBe("n.ipynb does not exist; check the path.");
  workshop.put("n.ipynb", notebook);
  expect(await validate(input)).toBe("n.ipynb exists but has not been read in this session; read it first.");
  await known(notebook);
  workshop.put("n.ipynb", notebook.replace("T", "B"));
  expect((await edit(input)).output).toBe("n.ipynb has changed since it was last read; read it again first.");
});

test("it is offered by search and needs one path", () => {
  expect(tool.searchHint).toContain("ipynb");
  expect(tool.needs(parsed({ mode: "delete", cellId: "a" }), "/place")).toEqual([
    { permission: "edit", patterns: ["n.ipynb"], always: ["n.ipynb"], access: "write", paths: ["/place/n.ipynb"] },
  ]);
  expect(tool.parse({ path: "a", mode: "append" }).ok).toBe(false);
  expect(tool.description.length).toBeLessThan(900);
});

test("in random notebooks of any formatting one cell changes and all others keep their value", () => {
  const random = createSeededRandom();
  const strange = ['"', "\\", '\\"', "[{", "}]", "\n", "cells", "ü", ",", ""];
  const text = () => Array.from({ length: random.below(5) }, () => strange[random.below(strange.length)]).join("");
  // Names have no backslash: some versions of the runtime parse the name "z\n" as "z\\" after they have met that one.
  const name = () => `z${text().replaceAll("\\", "")}`;
  const cell = () => ({ [name()]: [text(), { a: [] }, null, 1.5, true], source: [text()], metadata: {} });
  for (let round = 0; round < 500; round += 1) {
    const cells: readonly object[] = Array.from({ length: random.below(4) }, cell);
    const value = { x: { cells: [text()] }, cells, nbformat: 4, [name()]: text() };
    const json = JSON.stringify(value, null, [0, 1, 2, "\t"][random.below(4)]);
    const context = `seed ${random.seed}, round ${round}: ${json}`;
    const found = parseNotebook("n", json);
    if (!found.ok) throw new Error(`${context}: ${found.problem}`);
    const made = { source: text() };
    const insertAt = random.below(cells.length + 1);
    const inserted: unknown = JSON.parse(insertCell(found.notebook, insertAt, made));
    expect(inserted, context).toEqual({ ...value, cells: cells.toSpliced(insertAt, 0, made) });
    if (cells.length === 0) continue;
    const at = random.below(cells.length);
    const replaced: unknown = JSON.parse(replaceCell(found.notebook, at, made));
    expect(replaced, context).toEqual({ ...value, cells: cells.with(at, made) });
    expect(JSON.parse(deleteCell(found.notebook, at)), context).toEqual({ ...value, cells: cells.toSpliced(at, 1) });
  }
});

test("a generated notebook is refused unless it may be edited", async () => {
  const generated = notebook.replace('"# T\\u00e9st"', '"<!-- Code generated by nbgen. DO NOT EDIT. -->"');
  await known(generated);
  const input = { mode: "delete", cellId: "load-data" } as const;
  const problem =
    'n.ipynb is a generated file (its header says "Code generated … DO NOT EDIT"); changes made here would be lost. Change what it is made from and run its generator again.';
  expect(await validate(input)).toBe(problem);
  expect(await edit(input)).toEqual({ output: problem, isError: true, title: "n.ipynb" });
  const unguarded = createNotebookEditTool({ blockGenerated: () => false });
  expect((await unguarded.run(parsed(input), workshop.newContext())).isError).toBeUndefined();
});
