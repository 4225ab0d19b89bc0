/** Small charts of text. */
export { barText } from "./bar-text.ts";
export { columnChart } from "./column-chart.ts";
export { sparkline } from "./sparkline.ts";
