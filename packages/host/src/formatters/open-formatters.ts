/** Formatters of this place of work: the first that is enabled for a file runs after every write of it. */
import { dirname } from "node:path";
import { runFormatter } from "@kedge/extend/formatters";
import type { FileUpkeep } from "@kedge/protocol";
import { type FindFormatters, type FindFormattersParts, findFormatters } from "./find-formatters.ts";

export type FormatterParts = FindFormattersParts & {
  /** Without secrets; ties what is started to this process. */
  readonly environment: () => { readonly [name: string]: string };
};

export type OpenedFormatters = Pick<FileUpkeep, "format"> & {
  /** What there is; looked for with the first write. */
  readonly found: () => FindFormatters;
};

const timeoutMs = 10_000;

export function openFormatters(parts: FormatterParts): OpenedFormatters {
  let finder: FindFormatters | undefined;
  const found = () => {
    finder ??= findFormatters(parts);
    return finder;
  };
  return {
    found,
    async format(path, signal) {
      found().written(path);
      const formatting = found().formatting(path);
      if (formatting === undefined) return undefined;
      const { definition, program } = formatting;
      return runFormatter(
        {
          name: definition.name,
          file: program.file,
          args: program.args.map((word) => word.replaceAll("$FILE", path)),
          cwd: dirname(path),
          environment: { ...parts.environment(), ...definition.environment },
          timeoutMs,
        },
        signal,
      );
    },
  };
}
