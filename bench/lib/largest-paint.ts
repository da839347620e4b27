import type { Browser } from "playwright";

/**
 * Lighthouse's slow 4G as its DevTools throttling sets it: 150 ms and 1.6 Mbps down, 750 kbps up, made comparable to
 * what its simulation gives (latency × 3.75 for each request, throughput × 0.9). Bytes per second.
 */
const slow4g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};
const CPU_SLOWDOWN = 4;
/** Nothing larger is painted this long after the network has fallen silent. */
const QUIET_MS = 1500;

/** Returns the time of a first visit's largest paint, in ms after its start, and the element that was painted. */
export async function largestPaint(browser: Browser, address: string): Promise<{ ms: number; of: string }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", slow4g);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.addInitScript(() => {
      const seen = { ms: 0, of: "" };
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { element: Element | null; url: string })[]) {
          seen.ms = entry.startTime;
          seen.of = `${entry.element?.tagName.toLowerCase() ?? "?"} ${entry.url.replace(/^.*\//, "")}`.trim();
        }
      }).observe({ type: "largest-contentful-paint", buffered: true });
      Object.assign(window, { largestPaint: seen });
    });
    await page.goto(address, { waitUntil: "networkidle" });
    const read = () => page.evaluate<{ ms: number; of: string }>("largestPaint");
    // The network may be silent before scripts draw the page. (waitForFunction evaluates, which our policy blocks.)
    while ((await read()).ms === 0) await page.waitForTimeout(QUIET_MS);
    await page.waitForTimeout(QUIET_MS);
    return await read();
  } finally {
    await context.close();
  }
}
