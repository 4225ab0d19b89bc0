/** Texts of the SDK that programs and their users read. */

export const sdkTexts = {
  noDirectory: (directory: string) => `Directory not found: ${directory}.`,
  passDirectory: "Pass an existing directory.",
  toolIsTaken: (name: string) => `${name} is the name of a built-in tool.`,
  renameTool: "Rename the tool.",
  badToolName: (name: string) => `${name} is not a valid tool name. Use 1 to 64 letters, digits, "_" or "-".`,
  twoTools: (name: string) => `Two tools are named ${name}.`,
  inputIsObject: "The input must be an object.",
};
