/** Says when the page is not connected, and what becomes of what is typed meanwhile. Nothing is shown while all is well. */
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/frame.ts";

export function ConnectionBar() {
  const page = usePage();
  const stream = useSelected(page.state, (state) => state.stream);
  const isBehind = useSelected(page.store, (state) => state.connection === "lost");
  const sentence = useSelected(page.state, (state) => state.sentence);
  return (
    <div class="connection" role="status" data-stream={stream}>
      {stream === "lost" && <p>{texts.connectionLost}</p>}
      {stream === "connected" && isBehind && <p>{texts.loadingMissed}</p>}
      {stream === "ended" && (
        <p>
          {sentence}{" "}
          <button type="button" class="text-button" onClick={() => page.stream.start()}>
            {texts.reconnect}
          </button>
        </p>
      )}
    </div>
  );
}
