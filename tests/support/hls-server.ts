import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright";

export interface HlsServer {
  /** The playlist's address, on this machine. */
  playlistUrl: string;
  origin: string;
  /** True while there is a stream. Otherwise its playlist isn't found. */
  isOnAir: boolean;
  /** Paths that were asked for. */
  requests: string[];
  stop(): void;
}

/**
 * A livestream of a few seconds, filmed by the browser itself (a drawn picture that changes): what the playlist, the
 * head and the only segment hold is real, and no end is announced.
 */
export async function startHlsServer(browser: Browser): Promise<HlsServer> {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    stream.requests.push(path);
    // Chromium goes to no page that is not found and empty.
    const body = path === "/" ? "<!doctype html>" : stream.isOnAir ? files.get(path) : undefined;
    // The player fetches from another origin.
    response.writeHead(body ? 200 : 404, { "access-control-allow-origin": "*", "cache-control": "no-store" });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stream: HlsServer = {
    playlistUrl: `${origin}/pond.m3u8`,
    origin,
    isOnAir: false,
    requests: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const { head, segment } = splitFilm(await film(browser, origin));
  files.set("/head.mp4", head);
  files.set("/1.m4s", segment);
  const playlist = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4", '#EXT-X-MAP:URI="head.mp4"'];
  files.set("/pond.m3u8", Buffer.from([...playlist, "#EXTINF:4.0,", "1.m4s", ""].join("\n")));
  return stream;
}

/** Four seconds in fragmented MP4. A page of a local origin is a secure context, which recording needs. */
async function film(browser: Browser, origin: string): Promise<Buffer> {
  const page = await browser.newPage();
  await page.goto(origin);
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 160, height: 90 });
    const context = canvas.getContext("2d");
    const start = performance.now();
    const draw = setInterval(() => {
      if (!context) return;
      context.fillStyle = `hsl(${((performance.now() - start) / 10) % 360} 60% 40%)`;
      context.fillRect(0, 0, 160, 90);
    }, 50);
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/mp4;codecs=avc1.42E01E" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    recorder.stop();
    await stopped;
    clearInterval(draw);
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  });
  await page.close();
  return Buffer.from(base64, "base64");
}

/** An MP4 is boxes of a length and a name: those before the first fragment are the head. */
function splitFilm(mp4: Buffer): { head: Buffer; segment: Buffer } {
  let end = 0;
  while (end + 8 <= mp4.length && mp4.toString("latin1", end + 4, end + 8) !== "moof") end += mp4.readUInt32BE(end);
  if (end + 8 > mp4.length) throw new Error("the film has no fragments");
  return { head: mp4.subarray(0, end), segment: mp4.subarray(end) };
}
