import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "#client/app/global.css";
import { Providers } from "#client/app/providers.tsx";
import { createQueryClient } from "#client/lib/query-client.ts";
import { createTrpcClient, createTrpcUtils } from "#client/lib/trpc.ts";
import { createAppRouter } from "./router.tsx";

// In a build each component brings its own styles (vite-mantine-css.ts).
if (import.meta.env.DEV) await import("@mantine/core/styles.layer.css");

const queryClient = createQueryClient();
const trpcClient = createTrpcClient();
const router = createAppRouter({ queryClient, trpc: createTrpcUtils(queryClient, trpcClient) });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// Browsers hide a nonce from getAttribute; the property still has it.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// What Mantine's dialogs use to stop the page from scrolling looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
// Else zod, where it comes later, tries whether it may make functions of text, and each try is a violation of our policy.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient} trpcClient={trpcClient} styleNonce={styleNonce}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
