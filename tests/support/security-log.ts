import { createLogger } from "#server/platform/logger.ts";

/** A log as the server writes it, kept; `events` takes out the security events since the last look. */
export function securityLog() {
  const lines: string[] = [];
  let seen = 0;
  return {
    log: createLogger({ level: "info", destination: { write: (line) => lines.push(line) } }),
    text: () => lines.join(""),
    events(): Record<string, unknown>[] {
      const fresh = lines.slice(seen).map((line) => JSON.parse(line) as Record<string, unknown>);
      seen = lines.length;
      return fresh.filter(({ kind }) => kind === "security").map(({ time: _time, ...event }) => event);
    },
  };
}
