/** The Content-Security-Policy of what we send. */

const reports = ["report-uri /csp-report", "report-to csp"];
const policyOfEverything = ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"];

/** What a page or a script of ours may load. HTML is sent with a fresh nonce for the styles of components. */
export function pagePolicy(nonce?: string): string {
  // The server's picture of a page has style attributes, as components write them. The sanitiser lets none pass.
  const styles =
    nonce === undefined
      ? ["style-src 'self'"]
      : [`style-src 'self' 'nonce-${nonce}'`, "style-src-attr 'unsafe-inline'"];
  return [
    "default-src 'none'",
    "script-src 'self'",
    ...styles,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    // Blobs are files that the person has just chosen: jumping within a video, the browser asks for more of it.
    "connect-src 'self' blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com https://www.facebook.com",
    ...policyOfEverything,
    ...reports,
  ].join("; ");
}

/**
 * The page that plays one livestream within ours: it alone may fetch from the stream's host, and runs our code only.
 * `streamOrigin` is empty where there is nothing to play.
 */
export function framedPlayerPolicy(streamOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(streamOrigin ? [`connect-src ${streamOrigin}`, `media-src ${streamOrigin} blob:`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    ...reports,
  ].join("; ");
}

/** Somebody may open data as a page as well: it loads nothing then, and nobody frames it. */
export const dataPolicy = ["default-src 'none'", ...policyOfEverything].join("; ");
