import { createTRPCClient, httpLink } from "@trpc/client";
import superjson from "superjson";
import type { AppRouter } from "#server/router.ts";

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * Calls a running server as a browser would: one origin, its cookies kept between calls. Behind a proxy the origin is
 * another one than the server's, and the same cookies go to several servers.
 */
export function createApiClient(
  url: string,
  { origin = url, cookies = new Map<string, string>() }: { origin?: string; cookies?: Map<string, string> } = {},
) {
  const link = httpLink({
    url: `${url}/trpc`,
    transformer: superjson,
    async fetch(address, init) {
      const headers = new Headers(init?.headers as HeadersInit);
      headers.set("origin", origin);
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      const answer = await fetch(address, { method: init?.method ?? "GET", body: init?.body as string, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      return answer;
    },
  });
  return createTRPCClient<AppRouter>({ links: [link] });
}

/** The sign-ins that a server printed when it loaded the demo. */
export function demoSignIns(output: string): { owner: SignIn; backer: SignIn; keeper: SignIn } {
  const find = (who: string): SignIn => {
    const [, email, password] = new RegExp(`${who} +\\S+ +(\\S+) +(\\S+)`).exec(output) ?? [];
    if (!email || !password) throw new Error(`no sign-in of the demo ${who} in the output:\n${output}`);
    return { email, password };
  };
  return { owner: find("owner"), backer: find("backer"), keeper: find("keeper") };
}
type SignIn = { email: string; password: string };

/** Agrees to the terms where a backer is asked to, before they send a receipt. */
export async function agreeToTerms(api: ApiClient, projectId: number): Promise<void> {
  const { terms, siteTerms, blockedBy } = await api.payments.open.mutate({ projectId });
  if (blockedBy !== "terms") return;
  await api.payments.begin.mutate({
    projectId,
    lots: 1,
    termsVersion: terms.version,
    siteTerms: siteTerms.sha256,
    hasReadTerms: true,
  });
}
