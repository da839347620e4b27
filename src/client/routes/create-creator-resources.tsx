import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/create-creator-resources")({
  beforeLoad: () => {
    throw redirect({ to: "/creator-resources", replace: true });
  },
});
