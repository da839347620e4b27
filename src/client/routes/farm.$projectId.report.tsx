import { createFileRoute, redirect } from "@tanstack/react-router";

/**
 * The server renders this page with a script of its own: whoever comes from within the app (after signing in) loads it
 * anew.
 */
export const Route = createFileRoute("/farm/$projectId/report")({
  beforeLoad: ({ location }) => {
    throw redirect({ href: location.href, reloadDocument: true, replace: true });
  },
});
