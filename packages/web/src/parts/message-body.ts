/** A message as elements: its rows, and how it ended. */
import type { MessageView } from "@kedge/protocol";
import { type FunctionComponent, h, type JSX } from "preact";
import { type DrawnPart, drawPart } from "./draw-part.ts";
import type { Look } from "./look.ts";
import { EndMark } from "./marks.ts";
import { type MessageRow, messageRows } from "./message-rows.ts";
import { Prompt, Record as RecordedText } from "./said.ts";
import { ToolGroup } from "./tool-group.ts";

export type MessageBodyProps = {
  readonly message: MessageView;
  readonly look: Look;
  /** Draws one part; the app has one that follows a text as it grows. */
  readonly part?: FunctionComponent<DrawnPart>;
};

export function MessageBody({ message, look, part = drawPart as FunctionComponent<DrawnPart> }: MessageBodyProps) {
  const rows = messageRows(message, look).map((row) => drawRow(row, { message, look, part }));
  return h("div", { class: `message-body ${message.role}` }, rows, h(EndMark, message));
}

function drawRow(row: MessageRow, { message, look, part }: Required<MessageBodyProps>): JSX.Element {
  const { key } = row;
  switch (row.kind) {
    case "part":
      return h(part, { key, part: row.part, message, look });
    case "group":
      return h(ToolGroup, { key, calls: row.calls, look });
    case "prompt":
      return h(Prompt, { key, message });
    case "record":
      return h(RecordedText, { key, label: row.label, text: row.text, look });
  }
}
