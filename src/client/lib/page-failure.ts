/** Said to the window by the error page when the server wasn't reached: whoever watches the connection can help. */
export const PAGE_FAILED = "page-failed";
