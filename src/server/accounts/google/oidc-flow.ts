import { z } from "zod";
import { hashToken } from "#server/accounts/sessions.ts";
import { usedChallenges } from "#server/db/schema/sessions.ts";
import type { Context } from "#server/platform/context.ts";
import { cookieName } from "#server/platform/context.ts";
import type { Deps, OidcFlow } from "#server/platform/deps.ts";
import { seal, unseal } from "#server/platform/secret.ts";
import { type SessionKind, sessionKinds } from "#shared/accounts/sessions.ts";
import { OidcError } from "./oidc-error.ts";

/**
 * The flow cookie, kept by the browser between leaving for the identity provider and returning. It is signed, and holds
 * the flow's secrets, start page and purpose.
 */

const flowCookie = "openid-flow";
export const flowSeconds = 600;

const base = {
  kind: z.enum(sessionKinds),
  next: z.string().nullable(),
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(1),
  expiresAt: z.int(),
};
const sealedFlow = z.discriminatedUnion("purpose", [
  z.object({ purpose: z.enum(["sign-in", "sign-up"]), ...base }),
  z.object({ purpose: z.literal("link"), userId: z.string().min(1), ...base }),
]);

type FlowContext = Pick<Context, "cookies" | "env" | "appSecret" | "clock">;

/** Sets the cookie before the redirect. A browser's second flow replaces its first. */
export function keepFlow(ctx: FlowContext, flow: OidcFlow): void {
  ctx.cookies.set(cookieName(ctx.env, flowCookie), sealFlow(ctx, flow), {
    maxAgeSeconds: flowSeconds,
    sameSite: "lax",
    httpOnly: true,
  });
}

/** Reads the cookie on return and always clears it, so each works once. Throws as {@link openFlow} does. */
export function takeFlow(ctx: FlowContext & Pick<Context, "actor">, kind: SessionKind): OidcFlow {
  const name = cookieName(ctx.env, flowCookie);
  const sealed = ctx.cookies.get(name);
  ctx.cookies.clear(name);
  return openFlow(ctx, sealed, { kind, viewerId: ctx.actor?.id ?? null });
}

/**
 * Marks the flow as used before the provider is asked, so that a copied cookie is worthless afterwards.
 * Throws OidcError "wrong_flow" the second time.
 */
export async function spendFlow({ db, clock }: Pick<Deps, "db" | "clock">, flow: OidcFlow): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + flowSeconds * 1000);
  const spent = await db
    .insert(usedChallenges)
    .values({ id: `openid-flow:${hashToken(flow.state)}`, expiresAt })
    .onConflictDoNothing()
    .returning({ id: usedChallenges.id });
  if (spent.length === 0) throw new OidcError("wrong_flow", "used before");
}

/** The cookie's value: the flow unencrypted (it is this browser's own) and signed, valid for {@link flowSeconds}. */
export function sealFlow({ appSecret, clock }: Pick<Deps, "appSecret" | "clock">, flow: OidcFlow): string {
  const content = { ...flow, expiresAt: clock.now().getTime() + flowSeconds * 1000 };
  return seal(appSecret, flowCookie, content);
}

/**
 * Reads the flow of a cookie. `kind` is the callback page's; `viewerId` is the signed-in account. A flow to link is
 * valid only for the account that began it, so that it can't sign anybody in.
 * Throws OidcError "wrong_flow" (missing, forged, another page's or person's) or "expired_flow".
 */
export function openFlow(
  { appSecret, clock }: Pick<Deps, "appSecret" | "clock">,
  sealed: string | undefined,
  expected: { kind: SessionKind; viewerId: string | null },
): OidcFlow {
  const content = unseal(appSecret, flowCookie, sealed);
  if (content === null) throw new OidcError("wrong_flow", sealed ? "the cookie is not ours" : "there is no cookie");
  const parsed = sealedFlow.safeParse(content);
  if (!parsed.success) throw new OidcError("wrong_flow", "the cookie is of another version");
  const { expiresAt, ...flow } = parsed.data;
  if (clock.now().getTime() >= expiresAt) throw new OidcError("expired_flow", "begun too long ago");
  if (flow.kind !== expected.kind) throw new OidcError("wrong_flow", `begun for a ${flow.kind}`);
  if (flow.purpose === "link" && flow.userId !== expected.viewerId)
    throw new OidcError("wrong_flow", "begun by another account");
  return flow;
}
