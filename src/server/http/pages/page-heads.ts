import { findPublicFarm } from "#server/features/farm-pages/farm-page.ts";
import { findPublicProject } from "#server/features/projects/queries.ts";
import { isSetupOpen } from "#server/features/site/setup/queries.ts";
import type { Deps } from "#server/platform/deps.ts";
import { recordTexts } from "#shared/farms/record.ts";
import { placeOf } from "#shared/farms/texts.ts";
import { readProjectId } from "#shared/projects/project-id.ts";
import { projectHeading, projectTexts } from "#shared/projects/texts.ts";
import type { Site } from "#shared/site/site.ts";
import { farmCardPath, projectCardPath } from "./card-paths.ts";
import type { PageHead } from "./head.ts";

const siteDescription =
  "Back a managed farm in Nigeria, follow it week by week with reports, photos and video, and share in the harvest.";

/** Public pages: their title, the same as the page itself sets, and the description for search results. */
export const publicPages: Record<string, { title: string; description: string }> = {
  "/": { title: "", description: siteDescription },
  "/discover": {
    title: "Discover",
    description: "Managed farms across Nigeria that look for backers. They are sold in lots: first come, first served.",
  },
  "/how-it-works": {
    title: "How it works",
    description:
      "Choose a farm, pay by bank transfer, follow it every week, and take your share of the harvest or have it sold.",
  },
  "/about": { title: "About", description: "Who runs this site, and what it does for farms and backers." },
  "/trust-safety": {
    title: "Trust & Safety",
    description: "How farms are watched and visited, and how your money and your data are kept safe.",
  },
  "/faq": { title: "FAQ", description: "Answers about backing a farm, its updates, and your account." },
  "/careers": { title: "Careers", description: "Open positions on our farms, and how to apply for one." },
  "/contact": { title: "Contact Us", description: "Write to us, or book a visit to a farm." },
  "/creator-resources": { title: "Creator Resources", description: "What a farm needs to bring before it is listed." },
  "/terms": { title: "Terms of Service", description: "The terms on which this site may be used." },
  "/privacy": { title: "Privacy Policy", description: "What we know of you, why, and for how long." },
  "/cookies": { title: "Cookie Policy", description: "The few cookies that this site sets, and what each is for." },
  "/verify": { title: "Verify a paper", description: "Find out whether a receipt or statement of ours is genuine." },
  "/accessibility": { title: "Accessibility", description: "How this site is made to be usable by everybody." },
};

/** The public pages that a site has. */
export const publicPathsOf = ({ hasCareers }: Pick<Site, "hasCareers">): string[] =>
  Object.keys(publicPages).filter((path) => hasCareers || path !== "/careers");

/** Pages that search engines should not list: personal ones, or steps of a flow. */
export const privatePages: Record<string, string> = {
  "/login": "Login",
  "/signup": "Sign Up",
  "/forgot-password": "Forgot Password",
  "/reset-password": "Reset Password",
  "/auth-callback": "",
  "/profile": "My Profile",
  "/profile/account": "Account settings",
  "/farm": "My farms",
  "/farm/invitation": "Invitation to a farm",
  "/notifications": "Notifications",
  "/unsubscribe": "Emails",
  "/stop-search": "Saved search",
  "/verify/$code": "Verify a paper",
  "/back-project/$id": "Back this project",
  "/backed-project/$id": "Project",
  "/start-project": "Start a project",
  "/create-creator-resources": "Creator Resources",
  "/csp-report": "",
  "/create-project": "Create project",
  "/edit-project/$id": "Edit project",
  "/project-updates/$id": "Project updates",
  "/farm/$projectId/report": "Report",
  "/farm/$projectId/harvests": "Harvests",
  "/farm/$projectId/money": "Money to the farm",
  "/farm/$projectId/collect/$id": "Hand produce over",
  "/setup": "Set up this site",
  "/admin": "Dashboard",
  "/admin/login": "Admin Login",
  "/admin/auth-callback": "",
  "/admin/setup-account": "Admin Account Setup",
  "/admin/forgot-password": "Forgot Password",
  "/admin/reset-password": "Reset Password",
  "/admin/two-factor": "Two-factor sign-in",
  "/admin/dashboard": "Dashboard",
  "/admin/today": "Today",
  "/admin/payments": "Payments",
  "/admin/bank": "Bank",
  "/admin/payouts": "Payouts",
  "/admin/books": "Books",
  "/admin/papers": "Papers",
  "/admin/farms": "Farms",
  "/admin/farms/new": "Add a farm",
  "/admin/farms/$id": "Farm",
  "/admin/applicants": "Applicants",
  "/admin/messages": "Contact messages",
  "/admin/set-up": "Set up this site",
  "/admin/settings": "Settings",
  "/admin/project/$id": "Project",
  "/admin/collect/$id": "Hand produce over",
  "/admin/user-projects/$userId": "Backed projects",
};

/** The pages whose heads come from the database. */
export const projectPage = "/project/$id";
export const farmPage = "/farms/$id";
/** There only until the site has its first owner. */
const setupPage = "/setup";

/**
 * The head of the page at a path. Unknown paths, missing projects and jobs where none are offered are 404s. If projects
 * are visible to signed-in people only, every project has the same head, even a missing one (product decision).
 */
export async function describePage(deps: Pick<Deps, "db" | "log" | "site">, path: string): Promise<PageHead> {
  const found = findPage(path);
  const isOff = found?.pattern === "/careers" && !deps.site.current().hasCareers;
  if (!found || isOff) return unknownPage;
  const { pattern, params } = found;
  if (pattern === setupPage && !(await isSetupOpen(deps.db))) return unknownPage;
  if (pattern === projectPage) return describeProject(deps, params[0] ?? "");
  if (pattern === farmPage) return describeFarm(deps, params[0] ?? "");
  const page = publicPages[pattern];
  if (!page) return { ...neutralHead, title: privatePages[pattern] ?? "" };
  return { ...neutralHead, ...page, canonicalPath: pattern };
}

const neutralHead: PageHead = {
  status: 200,
  title: "",
  description: siteDescription,
  canonicalPath: null,
  card: null,
};

const unknownPage: PageHead = { ...neutralHead, status: 404, title: "Page not found" };

/** Matches like the client's router, which ignores case and a trailing slash. */
const partsOf = (path: string) => (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
const matchers = [...Object.keys(publicPages), ...Object.keys(privatePages), projectPage, farmPage].map((pattern) => ({
  pattern,
  parts: partsOf(pattern).map((part) => (part.startsWith("$") ? part : part.toLowerCase())),
}));

function findPage(path: string): { pattern: string; params: string[] } | undefined {
  const given = partsOf(path);
  for (const { pattern, parts } of matchers) {
    const fits = (part: string, index: number) =>
      part.startsWith("$") ? given[index] !== "" : part === given[index]?.toLowerCase();
    if (parts.length !== given.length || !parts.every(fits)) continue;
    return { pattern, params: given.filter((_, index) => parts[index]?.startsWith("$")) };
  }
  return undefined;
}

async function describeProject({ db, log }: Pick<Deps, "db" | "log">, idText: string): Promise<PageHead> {
  const id = readProjectId(idText);
  const notFound: PageHead = { ...neutralHead, status: 404, title: projectTexts.notFoundTitle };
  if (id === null) return notFound;
  try {
    const project = await findPublicProject(db, id);
    // The page shows the project to signed-in people, and asks others to sign in.
    if (project === "hidden") return { ...neutralHead, title: "Project" };
    if (!project) return notFound;
    return {
      status: 200,
      title: projectHeading(project),
      description: project.shortDescription,
      canonicalPath: `/project/${id}`,
      card: { path: projectCardPath(id, project), alt: project.imageAlt || project.title },
    };
  } catch (error) {
    // The page itself shows the error and offers a retry, so the head must not prevent it.
    log.error({ err: error, projectId: id }, "no head for a project page");
    return neutralHead;
  }
}

async function describeFarm({ db, log }: Pick<Deps, "db" | "log">, idText: string): Promise<PageHead> {
  const id = readProjectId(idText);
  const notFound: PageHead = { ...neutralHead, status: 404, title: recordTexts.notFoundTitle };
  if (id === null) return notFound;
  try {
    const farm = await findPublicFarm(db, id);
    if (farm === "hidden") return { ...neutralHead, title: "Farm" };
    if (!farm) return notFound;
    const { name, story } = farm;
    return {
      status: 200,
      title: name,
      description: story || `${name}, ${placeOf(farm)}: what it runs now, and how each of its rounds went.`,
      canonicalPath: `/farms/${id}`,
      card: { path: farmCardPath(id, farm), alt: `${name}, ${placeOf(farm)}` },
    };
  } catch (error) {
    log.error({ err: error, farmId: id }, "no head for a farm's page");
    return neutralHead;
  }
}
