import { readdirSync } from "node:fs";
import type { BrowserContext, Page } from "playwright";
import type { LineTab } from "#shared/bank/line-tabs.ts";
import { createApiClient, demoSignIns } from "./api-client.ts";
import type { BuiltServer } from "./built-server.ts";
import { signInBrowser } from "./seeded-server.ts";

export type Who = "visitor" | "backer" | "keeper" | "owner";

/** One address of the product as one kind of person sees it on demo data. */
export type Screen = { name: string; path: string; who: Who };

type Facts = Awaited<ReturnType<typeof readDemoFacts>>;

/** Every route of the client, named as its file: a test fails where one is missing. */
const screensOf: Record<string, (facts: Facts) => Omit<Screen, "name">[]> = {
  about: () => [{ path: "/about", who: "visitor" }],
  accessibility: () => [{ path: "/accessibility", who: "visitor" }],
  careers: () => [
    { path: "/careers", who: "visitor" },
    { path: "/careers?tab=apply", who: "visitor" },
  ],
  contact: () => [{ path: "/contact", who: "visitor" }],
  cookies: () => [{ path: "/cookies", who: "visitor" }],
  "create-creator-resources": () => [{ path: "/create-creator-resources", who: "visitor" }],
  "create-project": () => [{ path: "/create-project", who: "owner" }],
  "creator-resources": () => [{ path: "/creator-resources", who: "visitor" }],
  "edit-project.$id": ({ open }) => [{ path: `/edit-project/${open}`, who: "owner" }],
  // A page of its own. The demo's links are nobody's.
  "farm.$projectId.report": ({ backed }) => [
    { path: `/farm/${backed}/report`, who: "owner" },
    { path: `/farm/${backed}/report`, who: "visitor" },
    { path: "/report/none", who: "visitor" },
  ],
  // The demo's backer keeps no farm.
  "farm.$projectId.harvests": ({ backed, kept }) => [
    { path: `/farm/${backed}/harvests`, who: "backer" },
    { path: `/farm/${kept}/harvests`, who: "keeper" },
  ],
  "farm.$projectId.money": ({ backed, kept }) => [
    { path: `/farm/${kept}/money`, who: "keeper" },
    { path: `/farm/${backed}/money`, who: "backer" },
  ],
  "farm.$projectId.collect.$id": ({ backed }) => [{ path: `/farm/${backed}/collect/1`, who: "backer" }],
  faq: () => [{ path: "/faq", who: "visitor" }],
  "how-it-works": () => [{ path: "/how-it-works", who: "visitor" }],
  notifications: () => [
    { path: "/notifications", who: "backer" },
    { path: "/notifications", who: "owner" },
  ],
  privacy: () => [{ path: "/privacy", who: "visitor" }],
  "start-project": () => [
    { path: "/start-project", who: "visitor" },
    { path: "/start-project", who: "owner" },
  ],
  terms: () => [{ path: "/terms", who: "visitor" }],
  "trust-safety": () => [{ path: "/trust-safety", who: "visitor" }],
  unsubscribe: () => [{ path: "/unsubscribe?token=none", who: "visitor" }],
  "stop-search": () => [{ path: "/stop-search?token=none", who: "visitor" }],
  "verify.index": () => [{ path: "/verify", who: "visitor" }],
  "verify.$code": () => [{ path: "/verify/7K3P9Q2MXW4T8HRD", who: "visitor" }],
  index: () => [{ path: "/", who: "visitor" }],
  discover: () => [
    { path: "/discover", who: "visitor" },
    { path: "/discover?search=no-such-farm", who: "visitor" },
  ],
  "project.$id": ({ open, closed, held, notFunded, kept }) => [
    { path: `/project/${open}`, who: "visitor" },
    { path: `/project/${open}?tab=updates`, who: "visitor" },
    { path: `/project/${open}?tab=gallery`, who: "visitor" },
    { path: `/project/${closed}`, who: "backer" },
    { path: "/project/99999", who: "visitor" },
    { path: `/project/${held}`, who: "visitor" },
    { path: `/project/${notFunded}`, who: "visitor" },
    { path: `/project/${kept}`, who: "visitor" },
  ],
  "back-project.$id": ({ open, pending, held, heldByBacker }) => [
    { path: `/back-project/${open}`, who: "backer" },
    { path: `/back-project/${pending}`, who: "backer" },
    { path: `/back-project/${held}`, who: "backer" },
    { path: `/back-project/${heldByBacker}`, who: "backer" },
  ],
  "backed-project.$id": ({ backed }) => [
    { path: `/backed-project/${backed}`, who: "backer" },
    { path: `/backed-project/${backed}?tab=media`, who: "backer" },
    { path: `/backed-project/${backed}?tab=messages`, who: "backer" },
    { path: `/backed-project/${backed}?tab=harvest`, who: "backer" },
    { path: "/backed-project/99999", who: "backer" },
  ],
  login: () => [{ path: "/login", who: "visitor" }],
  signup: () => [{ path: "/signup", who: "visitor" }],
  "forgot-password": () => [{ path: "/forgot-password", who: "visitor" }],
  "reset-password": () => [
    { path: "/reset-password", who: "visitor" },
    { path: "/reset-password#type=recovery&access_token=none", who: "visitor" },
  ],
  "auth-callback": () => [{ path: "/auth-callback", who: "visitor" }],
  profile: () => [
    { path: "/profile", who: "backer" },
    { path: "/profile?tab=pending", who: "backer" },
    { path: "/profile?tab=favorites", who: "backer" },
    { path: "/profile?tab=money", who: "backer" },
  ],
  "profile_.account": () => [
    { path: "/profile/account", who: "backer" },
    { path: "/profile/account", who: "owner" },
  ],
  "admin.index": () => [{ path: "/admin", who: "owner" }],
  "admin.applicants": () => [{ path: "/admin/applicants", who: "owner" }],
  "admin.auth-callback": () => [{ path: "/admin/auth-callback", who: "visitor" }],
  "admin.bank": () => [{ path: "/admin/bank", who: "owner" }],
  "admin.collect.$id": () => [{ path: "/admin/collect/1", who: "owner" }],
  "admin.dashboard": () => [{ path: "/admin/dashboard", who: "owner" }],
  "admin.today": () =>
    ["", "?line=messages", "?line=unexplained_lines", "?line=late_reports", "?line=alarms"].map((search) => ({
      path: `/admin/today${search}`,
      who: "owner",
    })),
  "admin.farms.index": () => [
    { path: "/admin/farms", who: "owner" },
    { path: "/admin/farms?q=no-such-farm", who: "owner" },
  ],
  "admin.farms.new": () => [{ path: "/admin/farms/new", who: "owner" }],
  "admin.farms.$id": () => [
    { path: "/admin/farms/1", who: "owner" },
    { path: "/admin/farms/99999", who: "owner" },
  ],
  "farms.$id": ({ farm }) => [
    { path: `/farms/${farm}`, who: "visitor" },
    { path: "/farms/99999", who: "visitor" },
  ],
  "farm.index": () => [
    { path: "/farm", who: "backer" },
    { path: "/farm", who: "keeper" },
  ],
  "farm.invitation": () => [{ path: "/farm/invitation", who: "visitor" }],
  "admin.forgot-password": () => [{ path: "/admin/forgot-password", who: "visitor" }],
  "admin.login": () => [{ path: "/admin/login", who: "visitor" }],
  "admin.messages": () => [{ path: "/admin/messages", who: "owner" }],
  "admin.books": () => [
    { path: "/admin/books", who: "owner" },
    { path: "/admin/books?account=bank", who: "owner" },
  ],
  "admin.papers": () => [{ path: "/admin/papers", who: "owner" }],
  "admin.payments": () => [{ path: "/admin/payments", who: "owner" }],
  "admin.payouts": () =>
    ["due", "waiting", "runs", "sent", "done", "said"].map((tab) => ({
      path: `/admin/payouts?tab=${tab}`,
      who: "owner",
    })),
  "admin.project.$id": ({ backed, kept }) => [
    ...["updates", "backers", "money", "harvests", "media", "messages"].map((tab) => ({
      path: `/admin/project/${backed}?tab=${tab}`,
      who: "owner" as const,
    })),
    { path: `/admin/project/${kept}?tab=money`, who: "owner" },
  ],
  "project-updates.$id": ({ backed }) => [{ path: `/project-updates/${backed}`, who: "owner" }],
  "admin.reset-password": () => [{ path: "/admin/reset-password", who: "visitor" }],
  "admin.set-up": () => [
    { path: "/admin/set-up", who: "owner" },
    { path: "/admin/set-up?step=mail", who: "owner" },
    { path: "/admin/set-up?step=rules", who: "owner" },
  ],
  // Where a site has its owner it is no page any more.
  setup: () => [{ path: "/setup", who: "visitor" }],
  "admin.settings": () =>
    ["general", "site", "site&section=home", "admins", "users", "roles", "audit"].map((tab) => ({
      path: `/admin/settings?tab=${tab}`,
      who: "owner",
    })),
  "admin.setup-account": () => [{ path: "/admin/setup-account", who: "visitor" }],
  "admin.two-factor": () => [{ path: "/admin/two-factor", who: "owner" }],
  "admin.user-projects.$userId": ({ backerId }) => [{ path: `/admin/user-projects/${backerId}`, who: "owner" }],
};

const notFound: Screen = { name: "not-found", path: "/no-such-page", who: "visitor" };

/** The client's routes that the list above has no screen for. */
export function findRoutesWithoutScreen(): string[] {
  const routes = readdirSync("src/client/routes").map((file) => file.replace(/\.tsx$/, ""));
  return routes.filter((route) => route !== "__root" && !(route in screensOf));
}

/** Every screen of a server that has just loaded the demo. */
export async function listScreens(server: Pick<BuiltServer, "url" | "output">): Promise<Screen[]> {
  const facts = await readDemoFacts(server);
  const screens = Object.entries(screensOf).flatMap(([route, make]) =>
    make(facts).map((screen, index) => ({ ...screen, name: index === 0 ? route : `${route}-${index + 1}` })),
  );
  return [...screens, ...(await listSeasonScreens(server)), notFound];
}

/** Payouts, papers, the bank's lines, and harvests of every stage. */
async function listSeasonScreens(server: Pick<BuiltServer, "url" | "output">): Promise<Screen[]> {
  const signIns = demoSignIns(server.output());
  const owner = createApiClient(server.url);
  await owner.auth.adminSignIn.mutate(signIns.owner);
  const find = async (search: string) => {
    const { items } = await owner.projects.list.query({ search, showClosed: true });
    return must(items[0]?.id, search);
  };
  const [layers, mushrooms, broilers, snails] = [
    ...[await find("500 layers"), await find("oyster mushrooms")],
    ...[await find("600 broilers"), await find("giant snails")],
  ];
  const { harvests } = await owner.harvests.ofProject.query({ projectId: must(mushrooms, "oyster mushrooms") });
  const collecting = must(harvests.find(({ state }) => state === "allotted")?.id, "harvest that is collected");
  const { accounts } = await owner.bank.overview.query();
  const accountId = must(accounts[0]?.id, "own account");
  const lineOf = async (tab: LineTab) =>
    must((await owner.bank.lines.query({ accountId, tab })).items[0]?.id, `line under ${tab}`);
  const { runs } = await owner.payouts.runs.query({});
  const as =
    (who: Who) =>
    (...paths: string[]) =>
      paths.map((path) => ({ name: path.slice(1).replace(/\W+/g, "-"), path, who }));
  const [asBacker, asOwner] = [as("backer"), as("owner")];
  return [
    { name: "waiting list", path: `/project/${snails}`, who: "visitor" },
    ...asBacker("/profile?tab=money", `/back-project/${snails}`),
    ...[mushrooms, broilers, layers].flatMap((id) => asBacker(`/backed-project/${id}?tab=harvest`)),
    ...[mushrooms, broilers, layers].flatMap((id) => asOwner(`/admin/project/${id}?tab=harvests`)),
    ...asOwner(`/admin/collect/${collecting}`),
    ...asOwner(`/admin/project/${snails}?tab=holds`, "/admin/payments", "/admin/papers"),
    ...asOwner(`/admin/bank?tab=to_match&line=${await lineOf("to_match")}`),
    ...asOwner(`/admin/bank?tab=matched&line=${await lineOf("matched")}`, "/admin/bank?tab=own"),
    ...asOwner("/admin/bank?view=imports"),
    ...asOwner("/admin/payouts?tab=due", "/admin/payouts?tab=waiting", "/admin/payouts?tab=sent"),
    ...asOwner("/admin/payouts?tab=done", "/admin/payouts?tab=runs"),
    ...runs.slice(0, 2).flatMap(({ id }) => asOwner(`/admin/payouts?tab=runs&run=${id}`)),
  ];
}

function must(id: number | undefined, what: string): number {
  if (id === undefined) throw new Error(`the demo has no ${what}`);
  return id;
}

/** A page signed in as that person, as a browser that was here before. */
export async function openBrowserOf(
  who: Who,
  context: BrowserContext,
  server: Pick<BuiltServer, "url" | "output">,
): Promise<Page> {
  if (who !== "visitor") {
    await signInBrowser(context, server, { ...demoSignIns(server.output())[who], isAdmin: who === "owner" });
  }
  if (who === "owner") {
    // Blank pages have no storage.
    await context.addInitScript(() => location.protocol === "about:" || localStorage.setItem("isAdmin", "true"));
  }
  return context.newPage();
}

/**
 * Goes to a screen and waits until it is all there: its heading, its data, its pictures. Not until the network is
 * idle: the stream of news stays open.
 */
export async function openScreen(page: Page, url: string, { path }: Pick<Screen, "path">): Promise<void> {
  // A page that differs from the last one in its fragment only would not be loaded anew.
  await page.goto("about:blank");
  await page.goto(`${url}${path}`);
  await page.locator("h1").first().waitFor();
  await waitForContent(page);
}

/** Until the page answers to clicks: Mantine's provider marks the document in its first effect. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.locator("html[data-respect-reduced-motion]").waitFor({ state: "attached" });
}

/** Until header, footer, data and the pictures in view are there. */
export async function waitForContent(page: Page): Promise<void> {
  // The administrators' header and the visitors' footer come in pieces of their own.
  await page.getByRole("banner").waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector("footer") ||
      /^\/(admin|create-project|edit-project|project-updates)(\/|$)/.test(location.pathname),
  );
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"));
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return image.complete || top > innerHeight || bottom < 0;
    }),
  );
}

/** Asks the server for the demo's rows that screens are about. */
async function readDemoFacts(server: Pick<BuiltServer, "url" | "output">) {
  const api = createApiClient(server.url);
  await api.auth.signIn.mutate(demoSignIns(server.output()).backer);
  const all = await api.projects.list.query({ showClosed: true });
  const { pending } = await api.payments.listMyPending.query();
  const { items: backed } = await api.backings.mine.query({});
  const find = async (search: string) => (await api.projects.list.query({ search, showClosed: true })).items[0]?.id;
  const taken = [...pending.map(({ project }) => project?.id), ...backed.map(({ id }) => id)];
  const viewer = await api.auth.viewer.query();
  if (!viewer) throw new Error("the demo backer is not signed in");
  const layers = must(await find("500 layers"), "farm that the keeper keeps");
  return {
    backerId: viewer.id,
    open: must(all.items.find(({ id, isClosed }) => !isClosed && !taken.includes(id))?.id, "open project"),
    closed: must(all.items.find(({ isClosed }) => isClosed)?.id, "closed project"),
    held: must(await find("ugu"), "farm that others hold"),
    heldByBacker: must(await find("red goats"), "farm that the backer holds"),
    notFunded: must(await find("cashew"), "farm that was not funded"),
    kept: layers,
    farm: must((await api.projects.byId.query({ projectId: layers })).farmId ?? undefined, "farm of the layers"),
    pending: must(pending[0]?.project?.id, "pending payment"),
    backed: must(backed[0]?.id, "backing"),
  };
}
