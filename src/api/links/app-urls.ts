// URLs that belong to an app rather than to documentation: readers need an account there.

/** A regular expression that JavaScript and PostgreSQL read alike, to be matched case-insensitively. */
export const APP_URL = '^https?://app\\.gitbook\\.com(/|$)'
