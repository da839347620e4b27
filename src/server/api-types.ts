import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter as Router } from "./router.ts";

/** The client imports only these types from the server. */
export type AppRouter = Router;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
