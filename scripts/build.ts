import { buildPages } from "./build-pages.ts";
import { buildServer } from "./build-server.ts";

// Whatever the caller's NODE_ENV is: React's development build is three times as large.
process.env.NODE_ENV = "production";

await buildPages();
await buildServer();
