/** Starts the page on which a device is paired: small, so that a phone shows it at once. */
import "virtual:themes.css";
import "../frame/page.css";
import "../frame/controls.css";
import "./pair-page.css";
import { render } from "preact";
import { PairPage } from "./pair-page.tsx";
import { takePairing } from "./pairing-link.ts";

const pairing = takePairing(window);
// A link that is opened over this page changes only the part behind `#`, which loads nothing by itself.
window.addEventListener("hashchange", () => window.location.reload());

const place = document.getElementById("app");
if (place !== null) render(<PairPage {...pairing} />, place);
