/** Pairs this device: shows the fingerprint to compare, takes the code from the terminal, and leads into the app. */
import { headerNames, protocolVersion } from "@kedge/protocol";
import { useState } from "preact/hooks";
import { Logo } from "../frame/logo.tsx";
import * as texts from "../texts/pairing.ts";
import { guessName, type PairingLink } from "./pairing-link.ts";

export function PairPage({ code: given = "", fingerprint }: PairingLink) {
  const [code, setCode] = useState(given);
  const [name, setName] = useState(guessName(navigator.userAgent));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const told = await pair(code.trim(), name.trim());
    setBusy(false);
    setProblem(told);
    if (told === undefined) location.replace("/app");
  }

  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void submit(event)}>
        <Logo />
        <h1>{texts.pairThisDevice}</h1>
        <p>{fingerprint === undefined ? texts.checkInTerminal : texts.checkBelow}</p>
        {fingerprint !== undefined && <code class="pair-fingerprint">{fingerprint}</code>}
        <label for="pair-code">{texts.code}</label>
        <input
          id="pair-code"
          class="field pair-code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="XXXX-XXXX"
          required
          value={code}
          aria-describedby="pair-problem"
          onInput={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <label for="pair-name">{texts.deviceName}</label>
        <input
          id="pair-name"
          class="field"
          maxLength={60}
          required
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p id="pair-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="button primary" disabled={isBusy}>
          {texts.pair}
        </button>
        <p class="hint">
          {texts.certificateBefore}{" "}
          <a href="/app/kedge-ca.crt" download="kedge-ca.crt">
            {texts.certificateLink}
          </a>{" "}
          {texts.certificateAfter}
        </p>
      </form>
    </main>
  );
}

/** Gives back a sentence when it failed. */
async function pair(code: string, name: string): Promise<string | undefined> {
  try {
    const response = await fetch("/auth/pair", {
      method: "POST",
      headers: { "content-type": "application/json", [headerNames.protocol]: protocolVersion },
      body: JSON.stringify({ code, name }),
    });
    if (response.ok) return undefined;
    const { error } = (await response.json()) as { readonly error?: { readonly message?: string } };
    return error?.message ?? texts.serverStatus(response.status);
  } catch {
    return texts.serverUnreachable;
  }
}
