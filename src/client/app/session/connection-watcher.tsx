import { IconWifiOff } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { PAGE_FAILED } from "#client/app/error-page.tsx";
import { tabStorage } from "#client/lib/browser-storage.ts";
import { errorTexts } from "#shared/errors.ts";
import classes from "./connection-watcher.module.css";

function onConnectionChange(listener: () => void) {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

const RELOADED_KEY = "reloaded-at";
const RELOAD_PAUSE_MS = 30_000;

/**
 * Loads the page anew where the server answers: code that a page needs is gone with an earlier release, or the browser
 * remembers that it could not be had. At most once in half a minute, so that a broken release is no endless circle; never
 * where the browser can't keep when that was.
 */
async function reloadOnce() {
  if (Date.now() - Number(tabStorage.read(RELOADED_KEY)) < RELOAD_PAUSE_MS) return;
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  if (tabStorage.keep(RELOADED_KEY, String(Date.now()))) location.reload();
}

/**
 * Pages whose code can't be fetched. The router would reload the page at once, which without a connection ends on the
 * browser's own error page: by another message it shows ours, and the page is reloaded when the server can be reached.
 */
function useMissingCode() {
  const router = useRouter();
  useEffect(() => {
    let isCodeMissing = false;
    let isPageFailed = false;
    const note = ({ payload }: VitePreloadErrorEvent) => {
      isCodeMissing = true;
      // Only the router's memory of a reload stops it from doing one of its own after ours.
      tabStorage.keep(`tanstack_router_reload:${payload.message}`, "1");
      payload.message = errorTexts.network;
      payload.cause = new TypeError(errorTexts.network);
    };
    const help = () => {
      if (isCodeMissing && isPageFailed) void reloadOnce();
    };
    const noteFailure = () => {
      isPageFailed = true;
      help();
    };
    const stop = router.subscribe("onBeforeNavigate", () => {
      isPageFailed = false;
    });
    addEventListener("vite:preloadError", note);
    addEventListener(PAGE_FAILED, noteFailure);
    addEventListener("online", help);
    return () => {
      stop();
      removeEventListener("vite:preloadError", note);
      removeEventListener(PAGE_FAILED, noteFailure);
      removeEventListener("online", help);
    };
  }, [router]);
}

/** With the connection everything on the screen is asked for again, and a page that failed is tried again. */
function useRefreshOnReturn() {
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const refresh = () => {
      void queryClient.invalidateQueries();
      if (router.state.matches.some(({ status }) => status === "error")) void router.invalidate();
    };
    addEventListener("online", refresh);
    return () => removeEventListener("online", refresh);
  }, [queryClient, router]);
}

function forgetForeignCanonical() {
  const link = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
  if (link && new URL(link.href).pathname !== location.pathname) link.remove();
}

/** The first page's address is no other page's: phones share what this link says. */
function useForgetCanonical() {
  const router = useRouter();
  useEffect(() => {
    forgetForeignCanonical();
    return router.subscribe("onResolved", forgetForeignCanonical);
  }, [router]);
}

/** Reacts when the connection or the server's release changes under an open page. */
export default function ConnectionWatcher() {
  const isOnline = useSyncExternalStore(
    onConnectionChange,
    () => navigator.onLine,
    () => true,
  );
  useMissingCode();
  useRefreshOnReturn();
  useForgetCanonical();
  return (
    <div className={classes.place} role="status">
      {!isOnline && (
        <p className={classes.bar}>
          <IconWifiOff size={18} stroke={2} aria-hidden="true" />
          You are offline. What you see may be old.
        </p>
      )}
    </div>
  );
}
