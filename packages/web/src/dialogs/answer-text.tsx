/** A text in the place of the answers: what the model should do instead, or another command. */
import { useEffect, useRef, useState } from "preact/hooks";
import * as texts from "../texts/dialogs.ts";

export type AnswerTextProps = {
  readonly sentence: string;
  readonly initial?: string;
  readonly sendLabel: string;
  readonly onText: (text: string) => void;
  readonly onBack: () => void;
};

export function AnswerText({ sentence, initial = "", sendLabel, onText, onBack }: AnswerTextProps) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="answer-text"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onText(text);
      }}
    >
      <label for="answer-text">{sentence}</label>
      <textarea
        id="answer-text"
        ref={field}
        class="field"
        rows={Math.min(12, Math.max(3, text.split("\n").length))}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onBack();
          else if (event.key === "Enter" && !event.shiftKey && !event.isComposing)
            event.currentTarget.form?.requestSubmit();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="modal-buttons">
        <button type="button" class="button" onClick={onBack}>
          {texts.back}
        </button>
        <button type="submit" class="button primary" disabled={text.trim() === ""}>
          {sendLabel}
        </button>
      </div>
    </form>
  );
}
