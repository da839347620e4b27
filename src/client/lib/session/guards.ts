import { redirect } from "@tanstack/react-router";
import { errorReason } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import type { RouterContext } from "#client/lib/trpc.ts";
import { ownPath } from "#shared/accounts/own-path.ts";
import type { Permission } from "#shared/permissions.ts";
import { hasAdminFlag, storeAdminFlag } from "./admin-flag.ts";
import type { Viewer } from "./session.ts";
import { can } from "./session.ts";

/** The part of a `beforeLoad` argument that guards read. */
type GuardInput = { context: RouterContext; location: { href: string }; preload: boolean };

/** Where to go after signing in: a path of ours, or the fallback. An address of another site is never followed. */
export function safeNext(next: string | undefined, fallback: string): string {
  return ownPath(next) ?? fallback;
}

/** `beforeLoad: requireSignIn`: anonymous visitors go to /login and come back afterwards. */
export async function requireSignIn({ context, location }: GuardInput): Promise<{ viewer: Viewer }> {
  const viewer = await context.trpc.auth.viewer.ensureData();
  if (!viewer) throw redirect({ to: "/login", search: { next: location.href } });
  return { viewer };
}

/** The same for a project that only its backers see: they are told why they have to sign in. */
export async function requireSignInToProject(input: GuardInput): Promise<{ viewer: Viewer }> {
  const viewer = await input.context.trpc.auth.viewer.ensureData();
  if (!viewer && !input.preload) toast.error("Authentication Required", "Please log in to access this project");
  return requireSignIn(input);
}

type AdminGate = {
  permission?: Permission;
  gated?: boolean;
  /** Said to whoever is no administrator, signed in or not, before they are sent home instead of to /admin/login. */
  denied?: string;
  /** Said to an administrator without the permission. */
  lacking?: string;
};

/**
 * `beforeLoad: requireAdmin({ … })`: without a session or admin rights to /admin/login.
 * `gated` routes (specification: /create-project, /project-updates, /edit-project, /admin/payments, /admin/applicants)
 * first need the locally stored flag, else the visitor is told so and sent home.
 * An administrator who must first set up the second factor goes there; one who lacks the `permission` to the dashboard.
 */
export function requireAdmin(options: AdminGate = {}) {
  return async ({ context, preload }: GuardInput): Promise<{ viewer: Viewer }> => {
    // A link that is only hovered over is preloaded: nobody has been denied anything yet.
    const deny = (message: string) => {
      if (!preload) toast.error("Access Denied", message);
    };
    if (options.gated && !hasAdminFlag()) {
      deny("You must be an admin to access this page");
      throw redirect({ to: "/" });
    }
    const viewer = await context.trpc.auth.viewer.ensureData().catch((error: unknown) => {
      if (errorReason(error) === "network" && !preload) toast.error("Network error: Unable to connect to server");
      throw error;
    });
    if (!viewer?.isAdmin) {
      storeAdminFlag(false);
      if (options.denied) {
        deny(options.denied);
        throw redirect({ to: "/" });
      }
      if (viewer) deny("You do not have admin privileges");
      throw redirect({ to: "/admin/login" });
    }
    // That page says why.
    if (viewer.mustSetUpTwoFactor) throw redirect({ to: "/admin/two-factor" });
    if (options.permission && !can(viewer, options.permission)) {
      deny(options.lacking ?? "Your role does not allow this page");
      throw redirect({ to: "/admin/dashboard" });
    }
    return { viewer };
  };
}
