/** Programs that print until they are stopped, so that the reader at the end of their pipe is what ends them. */

export const endlessProducers: readonly RegExp[] = [
  /\b(?:yes|ping6?|watch|top|htop|tcpdump|strace|vmstat|iostat|mpstat|nodemon|entr|fswatch|tcpflow|dstat|perf)\b/,
  /\/dev\/(?!null\b|stdin\b|stdout\b|stderr\b)/,
  /\btail\b[^|;&]*\s(?:-\w*[fF]\w*|--follow\S*|--retry)(?=\s|$)/,
  /\b(?:journalctl|docker|podman|kubectl|heroku|fly|flyctl|stern|adb|vercel|pm2|aws|gcloud|az)\b[^|;&]*\s(?:logs?|logcat|-\w*f\w*|--follow\S*|tail)(?=\s|$)/,
  /\b(?:dmesg|inotifywait|kubectl|tsc|vitest|jest|webpack|rollup|esbuild|cargo|npm|pnpm|yarn|bun|deno)\b[^|;&]*\s(?:-\w*[wmW]\w*|--watch\S*|--monitor|watch|dev|start|serve)(?=\s|$)/,
  /\b(?:while|until)\b/,
  /\bfor\s*\(\(/,
  /\bseq\b[^|;&]*\binf/,
  /\b(?:nc|ncat|socat|netcat|http-server|vite|next|nuxt|gunicorn|uvicorn|flask|rails|http\.server|runserver)\b/,
  /\b(?:openssl\s+s_(?:client|server)|cat\s*$|cat\s+-\s*$)/,
];
