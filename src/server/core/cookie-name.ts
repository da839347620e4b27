import type { Env } from "#server/core/env.ts";

/** Over https only our own host, and only over https, can set a cookie with this prefix. */
export function cookieName(env: Pick<Env, "publicUrl">, name: string): string {
  return env.publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}
