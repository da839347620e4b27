import { isLoopbackHost } from "#server/core/env.ts";

/** Whether a Host header names this machine itself, which a page of a foreign name (DNS rebinding) can't. */
export function isLoopbackAuthority(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host.replace(/:\d+$/, "").toLowerCase());
}
