import { useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useHydrated, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import type { Permission } from "#shared/permissions.ts";
import { storeAdminFlag } from "./admin-flag.ts";
import { announceSession } from "./session-channel.ts";

export type Viewer = NonNullable<RouterOutputs["auth"]["viewer"]>;

/**
 * Who is signed in: null for nobody, undefined until the server has answered and the page is hydrated. The server
 * renders for somebody unknown: another first render would differ from it, and hydration doesn't correct attributes.
 */
export function useViewer(): Viewer | null | undefined {
  const { data } = trpc.auth.viewer.useQuery();
  return useHydrated() ? data : undefined;
}

/** Returns true if the viewer holds a permission. Only screens ask: the server decides again on every call. */
export function can(viewer: Viewer | null | undefined, permission: Permission): boolean {
  return viewer?.permissions.includes(permission) ?? false;
}

/** Returns {@link can} for the current viewer. */
export const useCan = (permission: Permission): boolean => can(useViewer(), permission);

/** The administrators' pages: those below /admin, and the ones that the specification puts beside it. */
export function isAdminPath(pathname: string): boolean {
  return /^\/(admin|create-project|edit-project|project-updates)(\/|$)/.test(pathname);
}

/**
 * Cleans this tab up once the session is over, whoever ended it, and goes to a sign-in page: `to`, or the one that
 * belongs to the page shown. Doesn't call the server.
 */
export function useLeaveSession(): (to?: "/login" | "/admin/login") => Promise<void> {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const router = useRouter();
  return useCallback(
    async (to) => {
      storeAdminFlag(false);
      utils.auth.viewer.setData(undefined, null);
      await router.navigate({ to: to ?? (isAdminPath(router.state.location.pathname) ? "/admin/login" : "/login") });
      // Only now: the page that was left would ask again for what it shows.
      queryClient.removeQueries({ type: "inactive" });
    },
    [queryClient, utils, router],
  );
}

/** Sign out here and in the other tabs. */
export function useSignOut(): { signOut: () => void; isPending: boolean } {
  const leave = useLeaveSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mutation = trpc.auth.signOut.useMutation({
    onSuccess: () => {
      // The answer has emptied the browser's storage. The colours are nothing about the person.
      if (colorScheme !== "auto") setColorScheme(colorScheme);
      announceSession("signed-out");
      return leave();
    },
    onError: () => toast.error("Failed to sign out. Please try again."),
  });
  return { signOut: () => mutation.mutate({ isFinal: true }), isPending: mutation.isPending };
}
