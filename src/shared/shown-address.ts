/**
 * True if our pages may show the picture or video at this address: on this site, or over https (as the content policy
 * says). Other addresses are never stored. An older row's isn't loaded, because browsers would block it.
 */
export const isShownAddress = (url: string): boolean => /^(\/(?![/\\])|https:\/\/[^/\\])/i.test(url);
