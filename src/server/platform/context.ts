import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor, Deps } from "./deps.ts";
import type { Env } from "./env.ts";

/** Over https only our own host, and only over https, can set a cookie with this prefix. */
export function cookieName(env: Pick<Env, "publicUrl">, name: string): string {
  return env.publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

export const sessionCookieName = (env: Pick<Env, "publicUrl">): string => cookieName(env, "session");

/** What a call knows: the application's dependencies, who acts, and where the call came from. */
export type Context = Deps & {
  actor: Actor | null;
  /** The address the server saw; through a proxy only where TRUST_PROXY says so. */
  ipAddress: string;
  userAgent: string;
  cookies: Cookies;
};

/** What a procedure gets where the database could not say who calls: no caller, and why. */
export type CallContext = Context & { actorFault?: unknown };

/** A context whose caller is signed in, and for administrators' procedures has the named permission. */
export type ActorContext = Context & { actor: Actor };

export type Cookies = {
  get(name: string): string | undefined;
  set(
    name: string,
    value: string,
    options: { maxAgeSeconds?: number; sameSite: "lax" | "strict"; httpOnly: boolean },
  ): void;
  clear(name: string): void;
  /**
   * Has the browser drop what our pages keep in its storage: drafts, and what the tabs tell each other. Cookies stay, for
   * the device's own tells a stranger's guesses from its person's. So does the cache: answers for one person are never
   * in it (no-store), and the code and the font would have to be fetched again.
   */
  clearStorage(): void;
};

/** The request's context. The rights are read from the database, never from the cookie or the browser. */
export async function createContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  const token = request.cookies[sessionCookieName(deps.env)];
  return contextOf(deps, request, reply, await deps.findActor(deps, token));
}

/** The same for procedures, each of which says in its own words that the caller's rights could not be read. */
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

/** The context of what is the same for everybody: nobody acts, and no request is known. */
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
    ipAddress: request.ip,
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
