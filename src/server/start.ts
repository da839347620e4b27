import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Where the built server begins: what V8 has compiled once is read back at the next start, where that can be kept. */
enableCompileCache(join(import.meta.dirname, ".compiled"));
await import("./main.ts");
