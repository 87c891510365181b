// The page where people set up their second factor.
export const SETTINGS_PATH = '/account/second-factor'

/** Leads on to `next` from there. */
export const settingsHref = (next: string): string => `${SETTINGS_PATH}?${new URLSearchParams({ next })}`
