import { createMemoryHistory } from "@tanstack/react-router";
import { httpBatchLink } from "@trpc/client";
import { createRoot } from "react-dom/client";
import superjson from "superjson";
import { onTestFinished, vi } from "vitest";
import { appOf } from "#client/app-of.tsx";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import "#client/ui/mantine/base.css";
import "#client/app/global.css";

/** The product's client in the test's own page, with answers that the test gives in the server's place. */

type Outputs = {
  [Feature in keyof RouterOutputs]: {
    [Procedure in keyof RouterOutputs[Feature] as `${Feature & string}.${Procedure & string}`]: RouterOutputs[Feature][Procedure];
  };
}[keyof RouterOutputs];
type AnyOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;

/** What the network gives instead of an answer. */
export class Failure {
  readonly response: () => Response;
  constructor(response: () => Response) {
    this.response = response;
  }
}
/** As from a server that has failed. */
export const serverFault = new Failure(() => new Response("broken", { status: 500 }));
/** An error in the server's own form, as it answers one call. */
export function refusal(reason: string, httpStatus: number, message = "x"): Failure {
  const error = { json: { message, code: -32603, data: { reason, httpStatus } } };
  return new Failure(() => Response.json([{ error }], { status: httpStatus }));
}
/** As from something that isn't our server. */
export const nonsense = new Failure(() => Response.json({}));
/** As without a connection. */
export const noConnection = new Failure(() => {
  throw new TypeError("Failed to fetch");
});

/** By the names of the procedures; one function is asked anew for every call. */
export type Answers = {
  [Procedure in AnyOf<Outputs>]?:
    | ValueOf<Outputs, Procedure>
    | Failure
    | (() => ValueOf<Outputs, Procedure> | Failure | Promise<ValueOf<Outputs, Procedure> | Failure>);
};

const visitor: Answers = {
  "auth.viewer": null,
  "settings.site": { requiresEmailConfirmation: false, hasGoogleSignIn: true },
  "auth.signInState": { failures: 0, lockedUntil: null, secondsLeft: 0, needsCode: false, linksGoogle: null },
  "auth.formToken": { token: "a form's token" },
  "projects.featured": [],
};

/** The answers to a backer who is signed in. */
export const backer: Answers = {
  "auth.viewer": {
    ...{ id: "00000000-0000-4000-8000-000000000001", email: "ada@example.com", fullName: "Ada Obi" },
    ...{ isAdmin: false, permissions: [], mustSetUpTwoFactor: false, kind: "backer" },
    ...{ idleLimitMinutes: 60, expiresAt: new Date(Date.now() + 3_600_000) },
    ...{ idleEndsInSeconds: 3600, endsInSeconds: 36_000 },
  },
  "auth.touch": undefined,
  "notifications.newest": { items: [], unreadCount: 0 },
};

export interface Screen {
  /** What is changed here holds from the next call on. */
  answers: Answers;
  /** The procedures that were called, in their order. */
  calls: string[];
  /** Where one is: the path in the address bar. */
  path(): string;
}

/** Shows a page of the product to a visitor, or to whom `auth.viewer` names. */
export async function openScreen(path: string, given: Answers = {}): Promise<Screen> {
  const answers: Answers = { ...visitor, ...given };
  const calls: string[] = [];
  const realFetch = window.fetch;
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
    if (pathname.startsWith("/trpc/")) {
      const procedures = pathname.slice("/trpc/".length).split(",");
      calls.push(...procedures);
      return answer(procedures, answers);
    }
    if (pathname === "/events") return Promise.resolve(new Response(null, { status: 429 }));
    return realFetch(input, init);
  });
  const trpcClient = trpc.createClient({ links: [httpBatchLink({ url: "/trpc", transformer: superjson })] });
  const history = createMemoryHistory({ initialEntries: [path] });
  const { element, load } = appOf({
    trpcClient,
    styleNonce: "",
    isDemo: false,
    boot: "",
    answeredAt: Date.now(),
    at: { history, origin: location.origin },
  });
  // A token of a mailed link is read there, before the router has the address.
  window.location.hash = new URL(path, location.origin).hash;
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
    vi.unstubAllGlobals();
    window.location.hash = "";
    sessionStorage.clear();
    localStorage.clear();
  });
  await load();
  root.render(element);
  return { answers, calls, path: () => history.location.pathname };
}

async function answer(procedures: string[], answers: Answers): Promise<Response> {
  const results: unknown[] = [];
  for (const procedure of procedures) {
    // biome-ignore lint/suspicious/noConsole: what stands there fails the test.
    if (!(procedure in answers)) console.error(`The test has no answer of ${procedure}`);
    const given: unknown = answers[procedure as keyof Answers];
    const found: unknown = typeof given === "function" ? await given() : given;
    if (found instanceof Failure) return found.response();
    results.push({ result: { data: superjson.serialize(found) } });
  }
  return Response.json(results);
}
