/** Asks for the link or the token of the server, where the browser has no valid cookie. */
import { useState } from "preact/hooks";
import { signInBy } from "../app/sign-in.ts";
import { Logo } from "./logo.tsx";

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
        <h1>Sign in</h1>
        <p>
          Run <code>kedge web</code> in the project directory and open the link it prints. If the server is already
          running, paste its token.
        </p>
        <label for="sign-in-text">Link or token</label>
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
          Sign in
        </button>
        {location.protocol === "https:" && (
          <a href="/app/pair" target="_self">
            Pair this device with a code
          </a>
        )}
        <p class="hint">
          The link works once and within a minute. The browser then keeps a cookie that no script can read.
        </p>
      </form>
    </main>
  );
}
