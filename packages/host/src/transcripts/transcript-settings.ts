/** The setting that keeps sessions as files as well; without it none is written. */
import { isJsonObject } from "@kedge/protocol";
import { checkWith, flag, object, problem, said } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";
import { type TranscriptForm, transcriptForms } from "./transcript-place.ts";

const forms = object({
  jsonl: said("Whether each session is kept as a line per message.", flag, false),
  conversations: said("Whether each session is kept as a text to read.", flag, false),
});

/** `true` is short for the lines alone. */
export const transcriptsCheck = checkWith(
  () => ({ anyOf: [{ type: "boolean" }, forms.schema()] }),
  (value, path) => {
    if (typeof value === "boolean") return [];
    return isJsonObject(value) ? forms(value, path) : [problem(path, "true, false or an object", value)];
  },
);

export const transcriptSettings: SettingDeclarations = {
  transcripts: {
    check: said("Which copies of sessions are kept as files as well.", transcriptsCheck),
    project: ignored("a project may not have copies of your sessions written"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readTranscriptSettings(value: unknown): readonly TranscriptForm[] {
  if (value === true) return ["jsonl"];
  return isJsonObject(value) ? transcriptForms.filter((form) => value[form] === true) : [];
}
