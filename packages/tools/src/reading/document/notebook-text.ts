/** Shows a notebook as a script: its cells in order, each with the beginning of what it printed. */
import { isJsonObject } from "@kedge/protocol";

const outputCharactersMax = 1_000;
const outputLinesMax = 20;

/** Undefined when the text is no notebook. */
export function notebookText(json: string): string | undefined {
  const cells = cellsOf(json);
  return cells?.map((cell, index) => showCell(cell, index + 1)).join("\n");
}

function cellsOf(json: string): readonly unknown[] | undefined {
  let notebook: unknown;
  try {
    notebook = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const cells = isJsonObject(notebook) ? notebook["cells"] : undefined;
  return Array.isArray(cells) ? cells : undefined;
}

function showCell(cell: unknown, number: number): string {
  if (!isJsonObject(cell)) return `# %% [unknown] cell:${number}\n`;
  const type = typeof cell["cell_type"] === "string" ? cell["cell_type"] : "unknown";
  const id = typeof cell["id"] === "string" ? ` id:${cell["id"]}` : "";
  const outputs = Array.isArray(cell["outputs"]) ? cell["outputs"] : [];
  const parts = [`# %% [${type}] cell:${number}${id}`, joinLines(cell["source"]), ...outputs.map(showOutput)];
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

function showOutput(output: unknown): string {
  if (!isJsonObject(output)) return "";
  switch (output["output_type"]) {
    case "stream":
      return labelled("output", joinLines(output["text"]));
    case "error":
      return labelled("error", `${String(output["ename"])}: ${String(output["evalue"])}`);
    default:
      return showRichOutput(output["data"]);
  }
}

/** Of all forms of one output the plain text; of others, such as pictures, only what they are. */
function showRichOutput(forms: unknown): string {
  if (!isJsonObject(forms)) return "";
  const others = Object.keys(forms).filter((type) => !type.startsWith("text/"));
  const text = joinLines(forms["text/plain"] ?? forms["text/markdown"] ?? forms["text/html"]);
  return labelled(others.length === 0 ? "output" : `output (also ${others.join(", ")}, not shown)`, text);
}

function labelled(label: string, text: string): string {
  const trimmed = text.trimEnd();
  const lines = trimmed.slice(0, outputCharactersMax).toWellFormed().split("\n").slice(0, outputLinesMax);
  const shown = lines.map((line) => `# ${line}`);
  const isCut = lines.join("\n").length < trimmed.length;
  return [
    `# ${label}:`,
    ...(trimmed === "" ? [] : shown),
    ...(isCut ? [`# … (cut; ${trimmed.length} characters)`] : []),
  ].join("\n");
}

/** Notebooks hold a text as a string or as a list of lines that keep their endings. */
function joinLines(text: unknown): string {
  if (typeof text === "string") return text;
  return Array.isArray(text) ? text.filter((line) => typeof line === "string").join("") : "";
}
