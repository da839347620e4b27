import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type createTrpcClient, trpc } from "#client/lib/trpc.ts";
import { cssVariables, theme } from "./theme.ts";

type ProvidersProps = {
  queryClient: QueryClient;
  trpcClient: ReturnType<typeof createTrpcClient>;
  /** The nonce that the page's policy allows for Mantine's style tags. */
  styleNonce: string;
  children: ReactNode;
};

export function Providers({ queryClient, trpcClient, styleNonce, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
