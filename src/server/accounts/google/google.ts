import { requireFreshSignIn } from "#server/accounts/own-proof.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import type { OidcClaims, OidcFlow } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import type { BeginGoogleQuery, FinishGoogleInput } from "#shared/accounts/google.ts";
import { type GoogleFault, googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { ownPath } from "#shared/accounts/own-path.ts";
import type { SessionKind } from "#shared/accounts/sessions.ts";
import { OidcError } from "./oidc-error.ts";
import { keepFlow, spendFlow, takeFlow } from "./oidc-flow.ts";

/**
 * The trip to Google and back, for every purpose: where it begins and ends, and what the person reads if it fails. The
 * caller decides who the person is and what they may do.
 */

/** Many phones share one IP address of their network operator. */
const limit = { hits: 100, windowSeconds: 600 };

type FlowStart = { kind: SessionKind; purpose: OidcFlow["purpose"]; next?: string | null | undefined };

/** The page where a flow began. */
function pageOf({ kind, purpose }: FlowStart): string {
  if (purpose === "link") return "/profile/account";
  if (kind === "admin") return "/admin/login";
  return purpose === "sign-up" ? "/signup" : "/login";
}

/** Where a successful flow leads. */
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
 * Where to redirect a browser that wants to sign in: to the provider or, on failure, back to its page, which reads the
 * fault from the fragment.
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
 * The address at the provider where the signed-in person chooses the identity to link. An identity is a lasting way in,
 * so linking needs a fresh sign-in: a stranger at a signed-in browser can't add one.
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
 * Handles the return from Google, once per flow. `act` gets the flow and the person's claims, and `to` is added to its
 * result.
 * A person who cancelled at the provider goes back without further text.
 * Throws AppError whose detail `backTo` names the page to return to: "Failed to sign in with Google" (or up, or to
 * link) for any fault of the flow, or the error of `act`.
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

/** A refusal keeps its reason and text. Any other failure gets a general text. */
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
