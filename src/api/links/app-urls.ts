// URLs that belong to an app rather than to documentation: readers need an account there.

/** A regular expression that JavaScript and PostgreSQL read alike, to be matched case-insensitively. */
export const APP_URL = '^https?://app\\.gitbook\\.com(/|$)'

const pattern = new RegExp(APP_URL, 'i')

/** `appUrl` is where this server's own reader begins. */
export const isInApp = (url: string, appUrl: string): boolean => pattern.test(url) || url.startsWith(appUrl)
