import { useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { SessionWatcher } from "#client/app/session/session-watcher.tsx";
import { lazyOr, Nothing } from "#client/lib/lazy-or.ts";
import { isAdminPath, useViewer } from "#client/lib/session/session.ts";
import { dismissToast, TOAST_MS, toastStore } from "#client/lib/toast.ts";
import { Toaster } from "#client/ui/feedback/toaster.tsx";
import { Header } from "./header.tsx";
import classes from "./shell.module.css";

const AdminHeader = lazyOr(() => import("./admin-header.tsx"), Nothing);
const Footer = lazyOr(() => import("./footer.tsx"), Nothing);
const ConnectionWatcher = lazyOr(() => import("#client/app/session/connection-watcher.tsx"), Nothing);
const TermsChange = lazyOr(() => import("#client/app/session/terms-change.tsx"), Nothing);

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

/** The frame of every page: public header and footer, or the slimmer admin header. */
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
      <SessionWatcher />
      <AskedTerms />
      <Suspense>
        <ConnectionWatcher />
      </Suspense>
    </div>
  );
}

/** Changed terms, where the viewer is asked about them. */
function AskedTerms() {
  const change = useViewer()?.termsChange;
  return (
    change && (
      <Suspense>
        <TermsChange key={`${change.version} ${change.isInForce}`} {...change} />
      </Suspense>
    )
  );
}

/** On demo data nobody must take the farms, the people or the bank account for real. The server says so in the head. */
function DemoBanner() {
  if (!useRouter().options.context.site.isDemo) return null;
  return (
    <aside className={classes.demo} aria-label="Demo notice">
      <strong>Demo.</strong> The farms, people and bank details here are made up. Send no money.
    </aside>
  );
}

/** A thin line at the top while the next page comes; the style sheet keeps it hidden for the first moment. */
function NavigationProgress() {
  const isLoading = useRouterState({ select: (state) => state.status === "pending" });
  return isLoading ? <div className={classes.progress} role="progressbar" aria-label="Loading page" /> : null;
}
