import { useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { useLateComponent } from "#client/lib/late-component.ts";
import { isAdminPath } from "#client/lib/session/session.ts";
import { dismissToast, TOAST_MS, toastStore } from "#client/lib/toast.ts";
import { Toaster } from "#client/ui/feedback/toaster.tsx";
import { DemoBanner } from "./demo-banner.tsx";
import { Header } from "./header.tsx";
import { NavigationProgress } from "./navigation-progress.tsx";
import classes from "./shell.module.css";

const AdminHeader = lazy(() => import("./admin-header.tsx"));
const Footer = lazy(() => import("./footer.tsx"));

const loadConnectionKeeper = () =>
  new Promise((resolve) => setTimeout(resolve, 1000)).then(() => import("#client/app/session/connection-keeper.tsx"));

/** Fetched after the page, whose own code and questions go first, and before it is needed: offline it can't be. */
function LateConnectionKeeper() {
  const [Keeper, fetchKeeper] = useLateComponent(loadConnectionKeeper);
  useEffect(() => void fetchKeeper(), [fetchKeeper]);
  return Keeper && <Keeper />;
}

const MAIN_ID = "main";

function Toasts() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.current, () => null);
  return <Toaster toast={toast} durationMs={TOAST_MS} onDismiss={dismissToast} />;
}

/** After a change of page the keyboard and the reader start at its content, as after a real page load. */
function useFocusOnNavigation(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** What stands around every page: public header and footer, or the slimmer admin header. */
export function Shell({ children }: { children: ReactNode }) {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const main = useFocusOnNavigation(pathname);
  const isAdmin = isAdminPath(pathname);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`#${MAIN_ID}`}>
        Skip to content
      </a>
      <NavigationProgress />
      <DemoBanner />
      {isAdmin ? (
        <Suspense fallback={<div className={classes.headerPlace} />}>
          <AdminHeader />
        </Suspense>
      ) : (
        <Header />
      )}
      <main ref={main} id={MAIN_ID} className={classes.main} tabIndex={-1}>
        {children}
      </main>
      {!isAdmin && (
        <Suspense fallback={<div className={classes.footerPlace} />}>
          <Footer />
        </Suspense>
      )}
      <Toasts />
      <LateConnectionKeeper />
    </div>
  );
}
