/** The Content-Security-Policy of every response. */

const reports = ["report-uri /csp-report", "report-to csp"];
const policyOfEverything = ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"];

/** The policy of our pages. Each answer has a fresh nonce for the components' style elements. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Server-rendered components have style attributes. The sanitiser removes them from free text.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    // A chosen file is a blob: when a person jumps within a video, the browser fetches more of it.
    "connect-src 'self' blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com https://www.facebook.com",
    ...policyOfEverything,
    ...reports,
  ].join("; ");
}

/**
 * The policy of the embedded livestream player: only that page may fetch from the stream's host, and it runs only our
 * code.
 * `streamOrigin` is empty when there is nothing to play.
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

/**
 * The policy of the build's own files. A worker is held to the policy of its script: it may load our scripts and ask
 * our server. As a page none of them loads anything else.
 */
export const buildPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self' blob:",
  ...policyOfEverything,
].join("; ");

/** A browser may open a data response as a page. Such a page loads nothing and can't be framed. */
export const dataPolicy = ["default-src 'none'", ...policyOfEverything].join("; ");
