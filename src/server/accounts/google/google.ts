import { requireFreshSignIn } from "#server/accounts/own-proof.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { OidcClaims, OidcFlow } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { authTexts } from "#shared/auth.ts";
import type { BeginGoogleQuery, FinishGoogleInput } from "#shared/google.ts";
import { type GoogleFault, googleTexts } from "#shared/google-texts.ts";
import type { SessionKind } from "#shared/sessions.ts";
import { OidcError } from "./oidc-error.ts";
import { keepFlow, ownPath, spendFlow, takeFlow } from "./oidc-flow.ts";

/**
 * The way to Google and back, for whatever it is taken: where it begins, where it ends, and what the person reads if it
 * fails. Which person comes back with which rights is the business of who calls.
 */

/** Many phones share one address of their network operator. */
const limit = { hits: 100, windowSeconds: 600 };

type FlowStart = { kind: SessionKind; purpose: OidcFlow["purpose"]; next?: string | null | undefined };

/** The page that a flow was begun at. */
function pageOf({ kind, purpose }: FlowStart): string {
  if (purpose === "link") return "/profile/account";
  if (kind === "admin") return "/admin/login";
  return purpose === "sign-up" ? "/signup" : "/login";
}

/** Where a flow leads that succeeds. */
function targetOf({ kind, purpose, next }: FlowStart): string {
  if (purpose === "link") return "/profile/account";
  if (kind === "admin") return "/admin/dashboard";
  return next ?? (purpose === "sign-up" ? "/" : "/profile");
}

const failureTexts: Record<OidcFlow["purpose"], string> = {
  "sign-in": googleTexts.signInFailed,
  "sign-up": googleTexts.signUpFailed,
  link: googleTexts.linkFailed,
};

/**
 * Where to send a browser that wants to sign in: to the provider or, if that can't be, back to the page it comes from,
 * which reads the fault out of the fragment.
 */
export async function beginGoogle(ctx: Context, request: BeginGoogleQuery): Promise<string> {
  const back = (fault: GoogleFault) => {
    const next = ownPath(request.next);
    return `${pageOf(request)}${next ? `?${new URLSearchParams({ next })}` : ""}#google=${fault}`;
  };
  if (!ctx.oidc) return back("failed");
  try {
    await limitRate(ctx, `google:${networkOf(ctx.ipAddress)}`, limit);
    const { url, saved } = await ctx.oidc.begin(request);
    keepFlow(ctx, saved);
    return url;
  } catch (error) {
    if (error instanceof AppError) return back("limited");
    if (!(error instanceof OidcError)) throw error;
    ctx.log.warn({ err: error }, "the way to Google can't begin");
    return back("failed");
  }
}

/**
 * The address at the provider where the person who is signed in chooses the identity to link. It is a lasting way in, so
 * whoever finds a browser signed in can't add one: it takes a fresh sign-in.
 */
export async function beginGoogleLink(ctx: ActorContext): Promise<{ url: string }> {
  await limitRate(ctx, `google-link:${ctx.actor.id}`, limit);
  if (!ctx.oidc) throw new AppError("unavailable", authTexts.googleNotConfigured);
  await requireFreshSignIn(ctx);
  try {
    const { url, saved } = await ctx.oidc.begin({ kind: "backer", purpose: "link", userId: ctx.actor.id });
    keepFlow(ctx, saved);
    return { url };
  } catch (error) {
    throw describeFault(ctx, error, { kind: "backer", purpose: "link" });
  }
}

/**
 * The way back, once per flow. `act` gets the flow and who came back; where its result leads is added as `to`. Who said
 * no at the provider goes back with no more than that said.
 * Throws AppError whose detail `backTo` names the page to go back to: "Failed to sign in with Google" (or up, or to link)
 * whatever is wrong with the flow, or what `act` throws.
 */
export async function returnFromGoogle<Result>(
  ctx: Context,
  { kind, ...answer }: FinishGoogleInput,
  act: (flow: OidcFlow, claims: OidcClaims) => Promise<Result>,
): Promise<(Result & { to: string }) | { outcome: "cancelled"; to: string }> {
  await limitRate(ctx, `google:${networkOf(ctx.ipAddress)}`, limit);
  let start: FlowStart = { kind, purpose: "sign-in" };
  try {
    const flow = takeFlow(ctx, kind);
    start = flow;
    await spendFlow(ctx, flow);
    if (!ctx.oidc) throw new AppError("unavailable", authTexts.googleNotConfigured);
    const claims = await ctx.oidc.finish(answer, flow);
    return { ...(await act(flow, claims)), to: targetOf(flow) };
  } catch (error) {
    if (error instanceof OidcError && error.reason === "cancelled") return { outcome: "cancelled", to: pageOf(start) };
    throw describeFault(ctx, error, start);
  }
}

/** A refusal keeps its own reason and text; of a flow that failed the person learns no more than that. */
function describeFault(ctx: Context, error: unknown, start: FlowStart): unknown {
  const details = { backTo: pageOf(start) };
  if (error instanceof AppError) {
    return new AppError(error.reason, error.message, { details: { ...error.details, ...details }, cause: error });
  }
  if (!(error instanceof OidcError)) return error;
  ctx.log.warn({ err: error }, "the way back from Google failed");
  if (error.reason === "unusable_address")
    return new AppError("invalid", googleTexts.addressUnusable, { details, cause: error });
  return new AppError(error.reason === "unreachable" ? "unavailable" : "invalid", failureTexts[start.purpose], {
    details,
    cause: error,
  });
}
