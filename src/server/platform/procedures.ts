import { initTRPC, TRPCError } from "@trpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import superjson from "superjson";
import { z } from "zod";
import { accountTexts, proofMinutes } from "#shared/accounts/texts.ts";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { type ErrorReason, errorTexts } from "#shared/errors.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import type { FarmRight } from "#shared/farms/texts.ts";
import type { Permission } from "#shared/permissions.ts";
import { type ActorContext, type CallContext, type Context, createContext } from "./context.ts";
import type { Deps } from "./deps.ts";
import { AppError, refusalOf, trpcCodeOf } from "./errors.ts";
import { listFarmsWithRight, type OwnFarm } from "./farm-rights.ts";
import { reportSecurityEvent } from "./security-events.ts";
import { fromWire, toWire } from "./serializer.ts";
import { isStorable } from "./text.ts";

export type ProcedureMeta = {
  /** Who may call the procedure. The permission-matrix test reads it from here. */
  access: "public" | "backer" | "administrator" | `farm:${FarmRight}` | Permission;
  /**
   * A query whose response depends only on its input and on what a trigger announces: projects, rounds' decisions, settings
   * and what the operator says of the site. It is cached, and the caller isn't looked up.
   */
  isShared?: true;
  /** Only for a session whose person gave the password (and code) in the last ten minutes. */
  needsProof?: true;
  /** The maximum size of a request, in bytes, if it isn't {@link USUAL_BODY_BYTES}. */
  maxBodyBytes?: number;
};

export const USUAL_BODY_BYTES = 32 * 1024;

const t = initTRPC
  .context<CallContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: {
      input: { serialize: superjson.serialize, deserialize: fromWire },
      output: { serialize: toWire, deserialize: superjson.deserialize },
    },
    defaultMeta: { access: "public" },
    errorFormatter({ shape, error }) {
      const { reason, message, fields, details } = describe(error);
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason, fields, details },
      };
    },
  });

type Description = {
  reason: ErrorReason;
  message: string;
  fields?: Record<string, string[]> | undefined;
  details?: Record<string, string | number> | undefined;
};

/** Requests that tRPC itself refuses; our pages send none. tRPC's own texts quote the request and name its parts. */
const unreadable: Description = { reason: "invalid", message: errorTexts.unreadable };
const refusalOfCode: Partial<Record<TRPCError["code"], Description>> = {
  BAD_REQUEST: unreadable,
  PARSE_ERROR: unreadable,
  UNSUPPORTED_MEDIA_TYPE: unreadable,
  METHOD_NOT_SUPPORTED: unreadable,
  PAYLOAD_TOO_LARGE: { reason: "invalid", message: errorTexts.tooLarge },
  NOT_FOUND: { reason: "not_found", message: errorTexts.notFound },
};

/**
 * The public description of an error: a reason, a sentence and field texts. It reveals nothing of an unexpected one.
 */
function describe(error: TRPCError): Description {
  const { cause } = error;
  if (cause instanceof AppError) {
    return { reason: cause.reason, message: cause.message, fields: cause.fields, details: cause.details };
  }
  if (cause instanceof z.ZodError) {
    const { fieldErrors, formErrors } = z.flattenError(cause);
    const fields = fieldErrors as Record<string, string[]>;
    return {
      reason: "invalid",
      message: formErrors[0] ?? Object.values(fields)[0]?.[0] ?? errorTexts.invalidInput,
      fields,
    };
  }
  return refusalOfCode[error.code] ?? { reason: "internal", message: errorTexts.internal };
}

/**
 * The checks before every procedure. They are one middleware because each middleware copies the context.
 * If the caller's rights can't be read, the call fails instead of going on as a stranger's, with its own text for
 * administrators (specification, section 8). Input that no column can hold is refused. Refusals get their own tRPC
 * code.
 */
const guarded = t.middleware(async ({ ctx, meta, path, getRawInput, next }) => {
  if (ctx.actorFault !== undefined) throw withCode(faultOfCaller(ctx.actorFault, meta));
  if (!isStorable(await getRawInput())) throw withCode(new AppError("invalid", errorTexts.unstorableText));
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const refusal = refusalOf(result.error.cause);
  if (!refusal) return result;
  const isOfRights = refusal.reason === "forbidden" && meta?.access !== "public";
  if (ctx.actor && isOfRights) reportSecurityEvent(ctx, "access_refused", { userId: ctx.actor.id, reason: path });
  throw withCode(refusal);
});

function faultOfCaller(cause: unknown, meta: ProcedureMeta | undefined): unknown {
  if (meta?.access === "public" || meta?.access === "backer" || meta?.access.startsWith("farm:")) return cause;
  return new AppError("unavailable", errorTexts.adminUnverified, { cause });
}

/** Converts a refusal to the tRPC error of its kind; returns any other error unchanged. */
function withCode(error: unknown): unknown {
  const cause = refusalOf(error);
  return cause ? new TRPCError({ code: trpcCodeOf[cause.reason], message: cause.message, cause }) : error;
}

/** The context of a farm's person: the farms on which they hold the procedure's right. */
export type FarmContext = ActorContext & { farms: OwnFarm[] };

export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const createCallerFactory = t.createCallerFactory;

/** For anybody, signed in or not. */
export const publicProcedure = t.procedure.use(guarded);

/** For anybody, with the same response for all. The caller isn't looked up: the context's actor is always null. */
export const sharedProcedure = publicProcedure.meta({ access: "public", isShared: true });

/** For anybody who is signed in. */
export const backerProcedure = publicProcedure.meta({ access: "backer" }).use(({ ctx, next }) => {
  return next({ ctx: { ...ctx, actor: requireActor(ctx) } satisfies ActorContext });
});

/**
 * For any administrator, whatever their permissions, even before they have the second factor that the setting requires.
 */
export const administratorProcedure = publicProcedure.meta({ access: "administrator" }).use(({ ctx, next }) => {
  const actor = requireActor(ctx);
  if (!actor.isAdmin) throw new AppError("forbidden", errorTexts.adminRequired);
  return next({ ctx: { ...ctx, actor } satisfies ActorContext });
});

/**
 * For administrators who hold the permission now, by the database. `maxBodyBytes` allows longer requests, for long
 * texts. `needsProof` is for what a stolen session must not do.
 */
export function adminProcedure(
  permission: Permission,
  special: Pick<ProcedureMeta, "maxBodyBytes" | "needsProof"> = {},
) {
  return publicProcedure.meta({ access: permission, ...special }).use(({ ctx, next }) => {
    const proved = { ...ctx, actor: requirePermission(ctx, permission) } satisfies ActorContext;
    if (special.needsProof) requireProof(proved);
    return next({ ctx: proved });
  });
}

/**
 * For people who hold the right on at least one farm now; `ctx.farms` are those farms. Of a project or a round the service
 * asks `requireFarmRight`.
 */
export function farmProcedure(right: FarmRight, special: Pick<ProcedureMeta, "maxBodyBytes"> = {}) {
  return publicProcedure.meta({ access: `farm:${right}`, ...special }).use(async ({ ctx, next }) => {
    const actor = requireActor(ctx);
    const farms = await listFarmsWithRight({ db: ctx.db, actor }, right);
    if (farms.length === 0) throw new AppError("forbidden", farmPeopleTexts.notOfFarm);
    return next({ ctx: { ...ctx, actor, farms } satisfies FarmContext });
  });
}

/**
 * Throws "proof_required" unless the caller gave the password (and code) in this session in the last ten minutes. The
 * screens then ask for it and call again.
 */
export function requireProof(ctx: Pick<ActorContext, "clock" | "actor">): void {
  if (!isProved(ctx)) throw new AppError("proof_required", accountTexts.proofRequired);
}

/** Returns true if {@link requireProof} lets the caller through. */
export function isProved({ clock, actor }: Pick<ActorContext, "clock" | "actor">): boolean {
  const { provedAt } = actor.session;
  return provedAt !== null && clock.now().getTime() - provedAt.getTime() <= proofMinutes * 60_000;
}

/** Also for file routes, which aren't procedures. Throws "Authentication required". */
export function requireActor(ctx: Context) {
  if (!ctx.actor) throw new AppError("unauthenticated", errorTexts.signInRequired);
  return ctx.actor;
}

/**
 * Also for file routes. Throws "Authentication required", "Admin privileges required" or
 * "Set up two-factor sign-in in your account first."
 */
function requirePermission(ctx: Context, permission: Permission) {
  const actor = requireActor(ctx);
  if (actor.mustSetUpTwoFactor) throw new AppError("forbidden", twoFactorTexts.required);
  if (!actor.permissions.includes(permission)) throw new AppError("forbidden", errorTexts.adminRequired);
  return actor;
}

/**
 * The caller's context for routes that aren't procedures, created before a byte of the body is read. Throws as {@link
 * requirePermission} does. Without permissions any signed-in person may call; with several the caller has to hold all.
 */
export async function createActorContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  ...permissions: Permission[]
): Promise<ActorContext> {
  const ctx = await createContext(deps, request, reply);
  const actor = requireActor(ctx);
  for (const permission of permissions) {
    try {
      requirePermission(ctx, permission);
    } catch (error) {
      reportSecurityEvent(ctx, "access_refused", { userId: actor.id, reason: permission });
      throw error;
    }
  }
  return { ...ctx, actor };
}
