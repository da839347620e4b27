import { createRoot, hydrateRoot } from "react-dom/client";
import "#client/ui/mantine/base.css";
import "#client/app/fonts/inter.css";
import "#client/app/global.css";
import { createTrpcClient } from "#client/lib/trpc.ts";
import { appOf } from "./app-of.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// Browsers hide a nonce from getAttribute; the property still has it.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// What Mantine's dialogs use to stop the page from scrolling looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
// Else zod, where it comes later, tries whether it may make functions of text, and each try is a violation of our policy.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const [visit] = performance.getEntriesByType("navigation");
const { element, load } = appOf({
  trpcClient: createTrpcClient(),
  styleNonce,
  isDemo: document.querySelector("meta[name=demo]") !== null,
  boot: document.getElementById("boot")?.textContent ?? "",
  // A page that the browser had kept may have been made for somebody else, and before what happened since.
  answeredAt: visit instanceof PerformanceNavigationTiming && visit.type === "back_forward" ? 1 : Date.now(),
});

/** The server has painted the page already: it is taken over as it stands. */
async function takeOver(painted: HTMLElement) {
  await load();
  hydrateRoot(painted, element);
}

if (root.firstElementChild) void takeOver(root);
else createRoot(root).render(element);
