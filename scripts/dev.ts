import { spawn } from "node:child_process";
import { createServer } from "vite";

const clientPort = 5173;

// The server restarts at every change of its files. Its public address is Vite's, which passes the server's paths on.
const env = { ...process.env, PORT: "3000", PUBLIC_URL: `http://localhost:${clientPort}` };
const server = spawn(process.execPath, ["--watch", "--watch-preserve-output", "src/server/main.ts"], {
  env,
  stdio: "inherit",
});
const vite = await createServer({ server: { port: clientPort, strictPort: true } });

let ending = false;
function end(code: number): void {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  server.kill("SIGTERM");
  void vite.close();
}
process.on("SIGINT", () => end(0));
process.on("SIGTERM", () => end(0));
server.once("exit", (code) => end(code ?? 1));

try {
  await vite.listen();
  vite.printUrls();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  end(1);
}
