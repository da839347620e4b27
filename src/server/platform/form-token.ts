import { randomBytes, timingSafeEqual } from "node:crypto";
import { authTexts, formTokenSeconds } from "#shared/accounts/inputs.ts";
import type { Context } from "./context.ts";
import { cookieName } from "./context.ts";
import { AppError } from "./errors.ts";

/**
 * The anti-forgery token of forms (specification): 32 random bytes in hex, in a strict cookie and in the form.
 * It complements the Origin check, which guards every write.
 */
const tokenPattern = /^[0-9a-f]{64}$/;

/** Returns the form's token. All forms of a browser share one, so that each of them can be sent. */
export function issueFormToken(ctx: Pick<Context, "cookies" | "env">): string {
  const name = cookieName(ctx.env, "form-token");
  const present = ctx.cookies.get(name);
  const token = present && tokenPattern.test(present) ? present : randomBytes(32).toString("hex");
  ctx.cookies.set(name, token, { maxAgeSeconds: formTokenSeconds, sameSite: "strict", httpOnly: true });
  return token;
}

/**
 * Throws unless the form's token equals the cookie's: "Form submission failed. Please refresh the page and try again.",
 * or the form's own `text`.
 */
export function requireFormToken(
  ctx: Pick<Context, "cookies" | "env">,
  given: string,
  text: string = authTexts.formExpired,
): void {
  const kept = ctx.cookies.get(cookieName(ctx.env, "form-token"));
  const isOurs =
    kept !== undefined &&
    tokenPattern.test(kept) &&
    tokenPattern.test(given) &&
    timingSafeEqual(Buffer.from(kept), Buffer.from(given));
  if (!isOurs) throw new AppError("invalid", text);
}
