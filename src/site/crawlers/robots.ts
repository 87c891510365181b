// robots.txt (RFC 9309): where crawlers need not go, and where the sitemap is.

/** What needs a session, is made for programs, or shows the same content once more. */
const CLOSED = [
  '/w',
  '/v1/',
  '/mcp',
  '/scim/',
  '/oauth',
  '/sign-in',
  '/sign-out',
  '/password',
  '/account',
  '/sso/',
  '/invitations/',
  '/print/',
  '/git/',
  // Search, print views, PDF files and previews of change requests.
  '/s/*/~/',
] as const

/** `sitemap` is its absolute address; null if there is none. */
export const renderRobots = (sitemap: string | null): string =>
  [
    'User-agent: *',
    ...CLOSED.map(path => `Disallow: ${path}`),
    ...(sitemap === null ? [] : ['', `Sitemap: ${sitemap}`]),
    '',
  ].join('\n')
