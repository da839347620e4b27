import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor, Deps } from "./deps.ts";
import type { Env } from "./env.ts";

/** Adds the `__Host-` prefix on HTTPS: browsers accept such a cookie only from this host itself and only over HTTPS. */
export function cookieName(env: Pick<Env, "publicUrl">, name: string): string {
  return env.publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

export const sessionCookieName = (env: Pick<Env, "publicUrl">): string => cookieName(env, "session");

/** The context of a call: the application's dependencies, the actor, and where the call came from. */
export type Context = Deps & {
  actor: Actor | null;
  /** The client's address. A proxy's header counts only where TRUST_PROXY names the proxy. */
  ipAddress: string;
  userAgent: string;
  cookies: Cookies;
};

/** A procedure's context. `actorFault` is set when the database could not tell who calls; `actor` is null then. */
export type CallContext = Context & { actorFault?: unknown };

/**
 * A context whose caller is signed in. In administrators' procedures the caller holds the named permission. `keeperOf` is the
 * farm for which they act, where a keeper's right lets them: audit entries name it.
 */
export type ActorContext = Context & { actor: Actor; keeperOf?: { farmId: number; farm: string } };

export type Cookies = {
  get(name: string): string | undefined;
  set(
    name: string,
    value: string,
    options: { maxAgeSeconds?: number; sameSite: "lax" | "strict"; httpOnly: boolean },
  ): void;
  clear(name: string): void;
  /**
   * Has the browser delete its storage for this site: drafts, and messages between tabs. Cookies stay, because the
   * device cookie tells its owner from a stranger who guesses passwords. The HTTP cache stays too: personal responses
   * are never in it (no-store), and code and fonts would have to be fetched again.
   */
  clearStorage(): void;
};

/** The request's context. Rights are read from the database, never from the cookie or the browser. */
export async function createContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  const token = request.cookies[sessionCookieName(deps.env)];
  return contextOf(deps, request, reply, await deps.findActor(deps, token));
}

/** The same for procedures. They report a failed look-up of the caller themselves, each with its own text. */
export async function createCallContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallContext> {
  try {
    return await createContext(deps, request, reply);
  } catch (error) {
    request.log.error({ err: error }, "the caller's rights could not be read");
    return { ...contextOf(deps, request, reply, null), actorFault: error };
  }
}

/** The context of responses that are the same for everybody: no actor, no request, no cookies. */
export function createSharedContext(deps: Deps): Context {
  const refuse = () => {
    throw new Error("a cookie is meant for one person, and this answer for everybody");
  };
  const cookies = { get: () => undefined, set: refuse, clear: refuse, clearStorage: refuse };
  return { ...deps, actor: null, ipAddress: "", userAgent: "", cookies };
}

function contextOf(deps: Deps, request: FastifyRequest, reply: FastifyReply, actor: Actor | null): Context {
  return {
    ...deps,
    log: request.log,
    actor,
    // Undefined, whatever its type says, once the client is gone.
    ipAddress: request.ip ?? "",
    userAgent: request.headers["user-agent"] ?? "",
    cookies: cookiesOf(deps, request, reply),
  };
}

function cookiesOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Cookies {
  const secure = deps.env.publicUrl.startsWith("https:");
  return {
    get: (name) => request.cookies[name],
    set: (name, value, { maxAgeSeconds, sameSite, httpOnly }) => {
      const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
      reply.setCookie(name, value, { path: "/", httpOnly, sameSite, secure, ...age });
    },
    clear: (name) => {
      reply.clearCookie(name, { path: "/", secure });
    },
    clearStorage: () => {
      reply.header("clear-site-data", '"storage"');
    },
  };
}
