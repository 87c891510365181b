// What counts as an address of an application rather than of documentation: readers need an account there.

/** A regular expression that JavaScript and PostgreSQL read alike, whatever the case of the address. */
export const APPLICATION = '^https?://app\\.gitbook\\.com(/|$)'

const pattern = new RegExp(APPLICATION, 'i')

/** `appUrl` is where this server's own reader begins. */
export const isInApp = (url: string, appUrl: string): boolean => pattern.test(url) || url.startsWith(appUrl)
