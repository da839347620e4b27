import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import "#client/ui/mantine/base.css";
import "#client/app/fonts/inter.css";
import "#client/app/global.css";
import { holdNavigationUntilHydrated } from "#client/lib/page-hydration.ts";
import { createTrpcClient } from "#client/lib/trpc.ts";
import { appOf } from "./app-of.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// Browsers hide a nonce from getAttribute; the property still has it.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// What Mantine's dialogs use to stop the page from scrolling looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
// Otherwise zod, which some routes load, tries to compile functions from text, and each try violates our policy.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const [visit] = performance.getEntriesByType("navigation");
const { element, load, history } = appOf({
  trpcClient: createTrpcClient(),
  styleNonce,
  site: JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=site]")?.content ?? "{}"),
  boot: document.getElementById("boot")?.textContent ?? "",
  // A page that the browser had kept may have been made for somebody else, and before what happened since.
  answeredAt: visit instanceof PerformanceNavigationTiming && visit.type === "back_forward" ? 1 : Date.now(),
});

async function hydrate(rendered: HTMLElement) {
  await load();
  holdNavigationUntilHydrated(history);
  // In slices, between which a phone paints and answers.
  startTransition(() => void hydrateRoot(rendered, element));
}

if (root.firstElementChild) void hydrate(root);
else createRoot(root).render(element);
