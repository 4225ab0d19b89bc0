/** One sentence in the place of a session. */
import { Logo } from "../frame/logo.tsx";

export function Notice({ title, text }: { readonly title: string; readonly text?: string }) {
  return (
    <main class="empty guest-notice">
      <Logo />
      <h1>{title}</h1>
      {text !== undefined && <p role="alert">{text}</p>}
    </main>
  );
}
