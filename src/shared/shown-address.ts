/**
 * Whether a page of ours may show the picture or film at this address: ours, or over https (as its policy says).
 * Nothing else is ever kept; what an older row holds is not tried, as browsers would only block it.
 */
export const isShownAddress = (url: string): boolean => /^(\/(?![/\\])|https:\/\/[^/\\])/i.test(url);
