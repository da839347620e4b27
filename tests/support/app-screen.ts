import { timeoutManager } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { httpBatchLink } from "@trpc/client";
import { createRoot } from "react-dom/client";
import superjson from "superjson";
import { expect, onTestFinished, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { appOf } from "#client/app-of.tsx";
import { proofLink } from "#client/lib/proof.ts";
import { dismissToast, TOAST_MS, toastStore } from "#client/lib/toast.ts";
import { type RouterInputs, type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { fromWire } from "#server/platform/serializer.ts";
import { permissions } from "#shared/permissions.ts";
import { planOfTemplate } from "#shared/reports/templates.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { type SetupStep, setupSteps } from "#shared/site/setup-texts.ts";
import type { SiteFacts } from "#shared/site/site.ts";
import "@mantine/core/styles.layer.css";
import "#client/app/global.css";
import { gona } from "./site.ts";

/** The product's client in the test's own page, with answers that the test gives in the server's place. */

type ByName<All> = {
  [Feature in keyof All]: {
    [Procedure in keyof All[Feature] as `${Feature & string}.${Procedure & string}`]: All[Feature][Procedure];
  };
}[keyof All];
type Outputs = ByName<RouterOutputs>;
type Inputs = ByName<RouterInputs>;
type AnyOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;

/** A failure of the network instead of an answer. */
class Failure {
  readonly response: () => Response;
  constructor(response: () => Response) {
    this.response = response;
  }
}
/** An answer of one call as it goes over the wire. */
class Written {
  readonly entry: object;
  constructor(entry: object) {
    this.entry = entry;
  }
}
/** An error in the server's own form, as it answers one call. */
export const refusal = (reason: string, httpStatus: number, message = "x", more: object = {}) =>
  new Written({ error: { json: { message, code: -32603, data: { reason, httpStatus, ...more } } } });
/** As of one call that failed on the server. Others of its batch are answered. */
export const serverFault = refusal("internal", 500);
/** An answer that no server of ours would write. */
export const written = (data: { json: unknown; meta?: unknown }) => new Written({ result: { data } });
/** As from something that isn't our server. */
export const nonsense = new Failure(() => Response.json({}));
/** As without a connection. */
export const noConnection = new Failure(() => {
  throw new TypeError("Failed to fetch");
});

type Given<Answer> = Answer | Failure | Written;

/** By the names of the procedures; one function is asked anew for every call. */
export type Answers = {
  [Procedure in AnyOf<Outputs>]?:
    | Given<ValueOf<Outputs, Procedure>>
    | ((
        input: ValueOf<Inputs, Procedure>,
      ) => Given<ValueOf<Outputs, Procedure>> | Promise<Given<ValueOf<Outputs, Procedure>>>);
};

const visitor: Answers = {
  "auth.viewer": null,
  "auth.signInState": { failures: 0, lockedUntil: null, secondsLeft: 0, needsCode: false, linksGoogle: null },
  "auth.formToken": { token: "a form's token" },
  "projects.featured": [],
  "site.home": { figures: [], testimonials: [] },
  "site.page": {
    page: "about",
    version: 0,
    isShipped: true,
    state: "in_force",
    inForceFrom: null,
    until: null,
    lead: "Who we are.",
    summary: null,
    body: "<p>We run farms.</p>",
    contents: [],
    today: "2026-11-21",
    others: [],
  },
  "site.figures": {
    fee: "5%",
    holdHours: "24 hours",
    refundDays: "5 working days",
    reviewDays: "one working day",
    holdsLots: true,
  },
  // A project whose round isn't funded owes no report.
  "reports.list": { items: [], total: 0 },
  "reports.record": {
    projectId: 7,
    round: 1,
    plan: { ...planOfTemplate("none"), version: 0 },
    fundedAt: null,
    summary: null,
    reports: [],
  },
  "reports.links": [],
  // Nor has one money at its farm.
  "releaseParts.whereMoneyIs": null,
  "savedSearches.mine": [],
  // No farm tells of earlier years.
  "farmPast.kept": [],
  "farmPast.ofFarm": [],
  // A link that comes to be under the pointer fetches ahead.
  "projects.list": { items: [], nextCursor: null },
};

/** The answers to a backer who is signed in. */
export const backer: Answers = {
  "auth.viewer": {
    id: "00000000-0000-4000-8000-000000000001",
    email: "ada@example.com",
    fullName: "Ada Obi",
    isAdmin: false,
    permissions: [],
    mustSetUpTwoFactor: false,
    hasFarm: false,
    termsChange: null,
    kind: "backer",
    idleLimitMinutes: 60,
    expiresAt: new Date(Date.now() + 3_600_000),
    idleEndsInSeconds: 3600,
    endsInSeconds: 36_000,
  },
  "auth.touch": undefined,
  "notifications.newest": { items: [], unreadCount: 0 },
  "tasks.mine": [],
  "site.ownAgreements": [],
  "users.account": {
    fullName: "Ada Obi",
    email: "ada@example.com",
    hasPassword: true,
    isAdmin: false,
    isCodeAsked: false,
    pendingEmail: null,
  },
  "users.sessions": [],
  "auth.identities": { google: null, isEmailVerified: true, hasPassword: true },
  "notifications.mailPreferences": [],
  "site.agreements": [],
  "holderChanges.mine": { now: new Date(), changes: [] },
};

const noPayouts = { count: 0, totalKobo: 0n };

/** How the set-up of a site stands with these steps done. */
export const setUp = (...done: SetupStep[]): RouterOutputs["setup"]["steps"] => ({
  steps: setupSteps.map((step) => ({ step, isDone: done.includes(step) })),
  isClosedForMoney: false,
  company: { legalName: null, companyNumber: null, address: null },
  bankDetails: null,
  mail: { isKept: false, hasServer: true, sentTo: null },
  rules: [],
  invited: null,
});

/** The owner's account, to whom a code isn't asked for beside the password. */
export const ownerAccount = {
  fullName: "Chidi Eze",
  email: "chidi@gona.example",
  hasPassword: true,
  isAdmin: true,
  isCodeAsked: false,
  pendingEmail: null,
};

/** The answers to an owner: the lists of every administrators' page, empty. */
export const owner: Answers = {
  ...backer,
  "auth.viewer": {
    id: "00000000-0000-4000-8000-000000000002",
    email: "chidi@gona.example",
    fullName: "Chidi Eze",
    isAdmin: true,
    permissions: [...permissions],
    mustSetUpTwoFactor: false,
    hasFarm: false,
    termsChange: null,
    kind: "admin",
    idleLimitMinutes: 30,
    expiresAt: new Date(Date.now() + 1_800_000),
    idleEndsInSeconds: 1800,
    endsInSeconds: 36_000,
  },
  "users.account": ownerAccount,
  "secondPerson.list": { requests: [] },
  "payments.details": { siteTerms: null, strikeRefusal: null, struck: null, evidence: [] },
  "holderChanges.running": { now: new Date(), changes: [] },
  "writeOffs.rounds": [],
  "projects.deletion": { refusal: null },
  "settings.list": [],
  "bank.accounts": [],
  "holidays.list": { today: "2026-11-21", holidays: [] },
  "admins.list": [],
  "admins.roles": [],
  "team.listInvites": [],
  "twoFactor.adminsWithout": { count: 0, admins: [] },
  "alarms.list": [],
  "alarms.mail": { isKept: false },
  "setup.steps": setUp(...setupSteps),
  "releaseParts.ofProject": [],
  "payouts.overview": {
    waiting: noPayouts,
    due: noPayouts,
    inRun: noPayouts,
    sent: noPayouts,
    overdue: 0,
    unseen: 0,
    runsToApprove: 0,
    runsToVoid: 0,
    runsToExport: 0,
    runsToGive: 0,
  },
  "dashboard.projects": { items: [], nextCursor: null },
  "dashboard.waiting": [],
  "dashboard.today": { now: new Date(), lines: [] },
  "dashboard.todayItems": { now: new Date(), items: [] },
  "dashboard.counts": { open: 0, closed: 0 },
  "dashboard.money": { pending: { count: 0, kobo: 0n }, approvedThisMonth: { count: 0, kobo: 0n }, weeks: [] },
};

/** A file on its way to the server, which stays on its way until the test says what becomes of it. */
class Upload {
  path = "";
  form = new FormData();
  isStopped = false;
  status = 0;
  responseText = "";
  upload: { onprogress?: (event: { lengthComputable: true; loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  readonly #sent: Upload[];
  constructor(sent: Upload[]) {
    this.#sent = sent;
  }
  open(_: "POST", path: string) {
    this.path = path;
  }
  setRequestHeader() {}
  send(form: FormData) {
    this.form = form;
    this.#sent.push(this);
  }
  abort() {
    this.isStopped = true;
    this.onabort?.();
    this.onloadend?.();
  }
  /** So many percent are sent. */
  reach(percent: number) {
    this.upload.onprogress?.({ lengthComputable: true, loaded: percent, total: 100 });
  }
  answer(status: number, body: object) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
    this.onloadend?.();
  }
  /** The connection is gone. */
  lose() {
    this.onerror?.();
    this.onloadend?.();
  }
}

export interface Screen {
  /** The answers of procedures; a change here holds from the next call on. */
  answers: Answers;
  /** The procedures that were called, in their order. */
  calls: string[];
  /** Returns the inputs sent to a procedure, by calls that it answered and didn't refuse. */
  sentTo(procedure: keyof Answers): unknown[];
  /** The files that were sent, in their order. */
  uploads: Upload[];
  /** As a reload of the page: only what the browser has stored is still there. */
  reload(): Promise<void>;
  /** Where one is: the path in the address bar. */
  path(): string;
}

/** The longest pause before a failed question is asked again. */
const RETRY_MS = 4_000;
// Nobody waits for it here.
timeoutManager.setTimeoutProvider({
  setTimeout: (run, ms) => window.setTimeout(run, ms <= RETRY_MS ? 0 : ms),
  clearTimeout: (id) => window.clearTimeout(id),
  setInterval: (run, ms) => window.setInterval(run, ms),
  clearInterval: (id) => window.clearInterval(id),
});

const visited: SiteFacts = { ...gona, isDemo: false, hasGoogleSignIn: true };

/** Shows a page of the product to a visitor, or to whom `auth.viewer` names. `files` are answers by their paths. */
export async function openScreen(
  path: string,
  given: Answers = {},
  files: Record<string, () => Response | Promise<Response>> = {},
  site: Partial<SiteFacts> = {},
): Promise<Screen> {
  const answers: Answers = { ...visitor, ...given };
  const calls: string[] = [];
  const inputs: { procedure: string; input: unknown }[] = [];
  const uploads: Upload[] = [];
  const pathOf = (input: RequestInfo | URL) =>
    new URL(input instanceof Request ? input.url : String(input), location.href).pathname;
  const server: typeof fetch = async (input, init) => {
    const procedures = pathOf(input).slice("/trpc/".length).split(",");
    calls.push(...procedures);
    return answer(procedures, await inputsOf(input, init), { answers, inputs });
  };
  const realFetch = window.fetch;
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const file = files[pathOf(input)];
    return file ? file() : realFetch(input, init);
  });
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends Upload {
      constructor() {
        super(uploads);
      }
    },
  );
  // Toasts stay until the test is over. A busy machine may take longer to look than one lasts.
  const realTimeout = window.setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => (ms === TOAST_MS ? 0 : realTimeout(run, ms)));
  // A token of a mailed link is read there, before the router has the address.
  window.location.hash = new URL(path, location.origin).hash;
  const viewer = answers["auth.viewer"];
  if (viewer && "isAdmin" in viewer && viewer.isAdmin) localStorage.setItem("isAdmin", "true");
  let shown = await show(path, server, { ...visited, ...site });
  onTestFinished(() => {
    shown.leave();
    vi.unstubAllGlobals();
    window.location.hash = "";
    sessionStorage.clear();
    localStorage.clear();
  });
  return {
    answers,
    calls,
    sentTo: (procedure) => inputs.flatMap((one) => (one.procedure === procedure ? [one.input] : [])),
    uploads,
    path: () => shown.history.location.pathname,
    async reload() {
      shown.leave();
      shown = await show(shown.history.location.href, server, { ...visited, ...site });
    },
  };
}

/** The product on a page of its own, from its beginning. */
async function show(path: string, server: typeof fetch, site: SiteFacts) {
  let isOver = false;
  // What a page asks just before its end may come after it, and is no business of the next one.
  const ask: typeof fetch = (input, init) => (isOver ? new Promise<never>(() => {}) : server(input, init));
  const trpcClient = trpc.createClient({
    links: [proofLink(), httpBatchLink({ url: "/trpc", transformer: superjson, fetch: ask })],
  });
  const history = createMemoryHistory({ initialEntries: [path] });
  const { element, load } = appOf({
    trpcClient,
    styleNonce: "",
    site,
    boot: "",
    answeredAt: Date.now(),
    at: { history, origin: location.origin },
  });
  await load();
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  root.render(element);
  const leave = () => {
    isOver = true;
    root.unmount();
    place.remove();
    dismissToast(toastStore.current()?.id ?? 0);
  };
  return { history, leave };
}

/** Reads the input of each call of a batch, by its place in it. */
async function inputsOf(input: RequestInfo | URL, init?: RequestInit): Promise<Record<string, unknown>> {
  const request = new Request(input, init);
  const text = request.method === "GET" ? new URL(request.url).searchParams.get("input") : await request.text();
  return text ? JSON.parse(text) : {};
}

async function answer(
  procedures: string[],
  given: Record<string, unknown>,
  { answers, inputs }: { answers: Answers; inputs: { procedure: string; input: unknown }[] },
): Promise<Response> {
  const results: unknown[] = [];
  for (const [place, procedure] of procedures.entries()) {
    // biome-ignore lint/suspicious/noConsole: what stands there fails the test.
    if (!(procedure in answers)) console.error(`The test has no answer of ${procedure}`);
    const input = given[place] && fromWire(given[place]);
    const call = { procedure, input };
    inputs.push(call);
    const reply: unknown = answers[procedure as keyof Answers];
    const found: unknown = typeof reply === "function" ? await reply(input) : reply;
    if (found instanceof Failure || found instanceof Written) inputs.splice(inputs.indexOf(call), 1);
    if (found instanceof Failure) return found.response();
    results.push(found instanceof Written ? found.entry : { result: { data: superjson.serialize(found) } });
  }
  return Response.json(results, { status: 207 });
}

/** A text of the page, whole. */
export const says = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
/** Expects a toast about a failure; `tells` expects one about a success. */
export const alerts = (text: string) =>
  expect.element(page.getByRole("alert").getByText(text, { exact: true }).first()).toBeVisible();
export const tells = (text: string) =>
  expect.element(page.getByRole("status").getByText(text, { exact: true }).first()).toBeVisible();
export const hasHeading = (name: string) =>
  expect.element(page.getByRole("heading", { name, exact: true })).toBeVisible();
export const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
export const dialog = page.getByRole("dialog");

/** Gives a reason in the dialog, and sends what it asks for to another owner. */
export async function askAnotherOwner(reason: string): Promise<void> {
  await dialog.getByLabelText("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Send to another owner" }).click();
  await tells(secondPersonTexts.asked);
}

/** On the smallest phone; the page has its size again afterwards, since tests share it. */
export async function onPhone(run: () => Promise<void>): Promise<void> {
  const { innerWidth, innerHeight } = window;
  await page.viewport(360, 740);
  try {
    await run();
  } finally {
    await page.viewport(innerWidth, innerHeight);
  }
}

/** Nothing has to be scrolled sideways on the smallest phone. */
export const fitsPhone = () =>
  onPhone(() => expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(360));

/** Files are chosen in a field, however large, without a way through the test's runner. */
export async function chooseFiles(field: Locator, ...files: File[]): Promise<void> {
  await expect.element(field).toBeInTheDocument();
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  const input = field.element() as HTMLInputElement;
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
