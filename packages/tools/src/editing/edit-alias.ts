/** Lets a model that learned another way of editing have its way: a call in its form still runs, with a word of advice. */
import { type EditMode, isJsonObject, type Tool, type ToolOutput } from "@kedge/protocol";
import type { EditInput } from "./edit.ts";
import type { EditLinesInput } from "./hashline/edit-lines.ts";

export type EditTools = {
  readonly edit: Tool<EditInput>;
  readonly editLines: Tool<EditLinesInput>;
  /** What else is offered in some ways of editing only. */
  readonly others: readonly Tool[];
};

export function joinEditTools({ edit, editLines, others }: EditTools): readonly Tool[] {
  const byLines = withModeNote(editLines);
  return [withEditLinesAlias(withModeNote(edit), byLines), byLines, ...others.map(withModeNote)];
}

/** `edit` as it is, but for calls that give edits by line numbers: these run as `edit_lines`. */
function withEditLinesAlias(edit: Tool<EditInput>, editLines: Tool<EditLinesInput>): Tool<EditInput | EditLinesInput> {
  const isByLines = (input: EditInput | EditLinesInput): input is EditLinesInput => "input" in input;
  return {
    ...edit,
    resultCharactersMax: Math.max(edit.resultCharactersMax, editLines.resultCharactersMax),
    parse: (input) => (givesLines(input) ? editLines : edit).parse(input),
    validate: async (input, context) =>
      isByLines(input) ? editLines.validate?.(input, context) : edit.validate?.(input, context),
    needs: (input, cwd) => (isByLines(input) ? editLines.needs(input, cwd) : edit.needs(input, cwd)),
    preview: async (input, context) =>
      isByLines(input) ? editLines.preview?.(input, context) : edit.preview?.(input, context),
    caution: async (input, context) =>
      isByLines(input) ? editLines.caution?.(input, context) : edit.caution?.(input, context),
    run: (input, context) => (isByLines(input) ? editLines.run(input, context) : edit.run(input, context)),
  };
}

function givesLines(input: unknown): boolean {
  return isJsonObject(input) && typeof input["input"] === "string" && input["oldString"] === undefined;
}

/** The tool that requests of a mode carry for changing files. */
const activeTools: { readonly [mode in EditMode]: string } = {
  replace: "edit",
  patch: "apply_patch",
  hashline: "edit_lines",
};

/** A tool that its request did not offer names in its result the one that was. */
function withModeNote<Input>(tool: Tool<Input>): Tool<Input> {
  const { editModes } = tool;
  if (editModes === undefined) return tool;
  return {
    ...tool,
    async run(input, context): Promise<ToolOutput> {
      const result = await tool.run(input, context);
      if (editModes.includes(context.editMode)) return result;
      const note = `(Here files are changed with ${activeTools[context.editMode]}; use it for the next change.)`;
      return { ...result, output: `${result.output}\n${note}` };
    },
  };
}
