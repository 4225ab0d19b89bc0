/** Asks for the link or the token of the server, where the browser has no valid cookie. */
import { useState } from "preact/hooks";
import { signInBy } from "../app/sign-in.ts";
import * as texts from "../texts/frame.ts";
import { Logo } from "./logo.tsx";
import { withCode } from "./with-code.tsx";

export type SignInProps = { readonly problem: string | undefined; readonly onSignedIn: () => void };

export function SignInPage({ problem, onSignedIn }: SignInProps) {
  const [text, setText] = useState("");
  const [told, setTold] = useState(problem);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const signedIn = await signInBy(text);
    setBusy(false);
    setTold(signedIn.ok ? undefined : signedIn.sentence);
    if (signedIn.ok) onSignedIn();
  }

  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void submit(event)}>
        <Logo />
        <h1>{texts.signIn}</h1>
        <p>{withCode(texts.signInHow)}</p>
        <label for="sign-in-text">{texts.linkOrToken}</label>
        <input
          id="sign-in-text"
          class="field"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={text}
          aria-describedby="sign-in-problem"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p id="sign-in-problem" class="problem" role="alert">
          {told}
        </p>
        <button type="submit" class="button primary" disabled={isBusy}>
          {texts.signIn}
        </button>
        {location.protocol === "https:" && (
          <a href="/app/pair" target="_self">
            {texts.pairInstead}
          </a>
        )}
        <p class="hint">{texts.linkLifetime}</p>
      </form>
    </main>
  );
}
