/** What every side view is made of: sections, lists, facts, and sentences for what is empty or went wrong. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import * as texts from "../texts/views/panel.ts";
import "./views.css";

export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <header class="panel-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

type PanelProps = {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
};

type Shown<Value> = { readonly value: Value | undefined; readonly problem: string | undefined };

/** The answer to a question, or where it is. */
export function Loaded<Value>({ of, loading, children }: LoadedProps<Value>) {
  return (
    <>
      {of.problem !== undefined && (
        <p class="view-problem" role="alert">
          {of.problem}
        </p>
      )}
      {of.value === undefined ? of.problem === undefined && <p class="view-note">{loading}</p> : children(of.value)}
    </>
  );
}

type LoadedProps<Value> = {
  readonly of: Shown<Value>;
  readonly loading: string;
  readonly children: (value: Value) => ComponentChildren;
};

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="view-note view-empty">{children}</p>;
}

export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="view-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type ActionProps = {
  readonly label: string;
  /** Asked before it is done; without it nothing is asked. */
  readonly question?: string;
  readonly tone?: "plain" | "danger";
  /** Gives back a sentence when it failed. */
  readonly act: () => Promise<string | undefined>;
};

/** A button that says when what it does failed, and asks first where that cannot be undone. */
export function Action({ label, question, tone = "plain", act }: ActionProps) {
  const [state, setState] = useState<"idle" | "asking" | "busy">("idle");
  const [problem, setProblem] = useState<string>();
  const start = async () => {
    setState("busy");
    setProblem(undefined);
    const failed = await act().catch(() => texts.noAnswer);
    setProblem(failed);
    setState("idle");
  };
  if (state === "asking") {
    return (
      <fieldset class="view-question" aria-label={question}>
        {question}{" "}
        <button type="button" class={`view-button ${tone}`} onClick={start}>
          {label}
        </button>{" "}
        <button type="button" class="view-button" onClick={() => setState("idle")}>
          {texts.cancel}
        </button>
      </fieldset>
    );
  }
  return (
    <>
      <button
        type="button"
        class={`view-button ${tone}`}
        disabled={state === "busy"}
        onClick={() => (question === undefined ? void start() : setState("asking"))}
      >
        {label}
      </button>
      {problem !== undefined && (
        <span class="view-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
