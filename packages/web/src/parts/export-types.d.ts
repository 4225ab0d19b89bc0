/** What an export uses of the parts. The other packages read this file: the parts bring the types of browsers with them. */
import type { MessageView } from "@kedge/protocol";

/** For the text of a page and for values of attributes. */
export function escapeHtml(text: string): string;

/** Colours of the usual themes, and how parts look with them. */
export function partStyle(): string;

/** Draws messages as the app does. `all` are those that will be asked for: the colours of their code are loaded first. */
export function createMessageWriter(options: {
  readonly all: readonly MessageView[];
  /** Paths below it are shown without it. */
  readonly directory: string;
}): Promise<(message: MessageView) => string>;
