/** The setting that keeps sessions as files as well; without it none is written. */
import { isJsonObject } from "@kedge/protocol";
import { checkWith, flag, object, problem, said } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";
import { type TranscriptForm, transcriptForms } from "./transcript-place.ts";

const forms = object({
  jsonl: said("Write a JSONL transcript of each session.", flag, false),
  conversations: said("Write a text transcript of each session.", flag, false),
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
    check: said("Transcript files to write for each session.", transcriptsCheck),
    project: ignored("a project may not write copies of your sessions"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readTranscriptSettings(value: unknown): readonly TranscriptForm[] {
  if (value === true) return ["jsonl"];
  return isJsonObject(value) ? transcriptForms.filter((form) => value[form] === true) : [];
}
