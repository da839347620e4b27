import { createFileRoute, redirect } from "@tanstack/react-router";

/** The address that people type: the dashboard's guard leads whoever isn't signed in to the sign-in. */
export const Route = createFileRoute("/admin/")({
  beforeLoad: () => {
    throw redirect({ to: "/admin/dashboard", replace: true });
  },
});
