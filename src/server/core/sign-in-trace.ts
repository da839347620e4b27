import type { Context } from "#server/core/context.ts";
import { cookieName } from "#server/core/cookie-name.ts";

/**
 * Which counter this browser's last failure was counted on. The name is made with a secret and says nothing of the
 * account, nor whether there is one.
 */
const traceCookie = "sign-in";
const traceSeconds = 3600;

export function readSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">): string {
  return cookies.get(cookieName(env, traceCookie)) ?? "";
}

export function leaveSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">, counterKey: string): void {
  cookies.set(cookieName(env, traceCookie), counterKey, {
    maxAgeSeconds: traceSeconds,
    sameSite: "strict",
    httpOnly: true,
  });
}

export function clearSignInTrace({ cookies, env }: Pick<Context, "cookies" | "env">): void {
  cookies.clear(cookieName(env, traceCookie));
}
