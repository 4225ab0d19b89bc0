/** What an exported page is made from: the parts of messages, drawn as in the app, as text. */
import { textBeside } from "@kedge/protocol/text-file";
import type * as Declared from "./export-types.d.ts";
import { loadColours } from "./load-colours.ts";
import { createLook } from "./look.ts";
import { MessageBody } from "./message-body.ts";
import { renderStatic } from "./render-static.ts";
import { themeStyle } from "./theme-style.ts";

export { escapeHtml } from "./render-static.ts";

export const partStyle: typeof Declared.partStyle = () =>
  `${themeStyle()}\n${textBeside(import.meta.url, "./parts.css")}`;

export const createMessageWriter: typeof Declared.createMessageWriter = async ({ all, directory }) => {
  const look = createLook({ directory, hasInputs: true });
  await loadColours(all, look);
  return (message) => renderStatic(MessageBody({ message, look }));
};
