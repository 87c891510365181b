// Hosts whose players a reader may load into a page: by a click, and only from these addresses. Until then nothing is
// requested from them, and without a script the link leads there.

/** Where a player is loaded from, and how its address follows from the one in the content. */
const PLAYERS: readonly { readonly frame: string; readonly of: (url: URL) => string | undefined }[] = [
  { frame: 'https://www.youtube-nocookie.com', of: youTube },
  {
    frame: 'https://player.vimeo.com',
    of: url =>
      path(url, ['vimeo.com', 'player.vimeo.com'], /^\/(?:video\/)?(\d{1,20})\/?$/, id => `/video/${id}`),
  },
  {
    frame: 'https://www.loom.com',
    of: url => path(url, ['loom.com'], /^\/(?:share|embed)\/([\w-]{1,80})\/?$/, id => `/embed/${id}`),
  },
  {
    frame: 'https://www.figma.com',
    of: url =>
      hostOf(url) === 'figma.com' && /^\/(?:file|design|proto|board)\/[\w-]{1,80}(?:\/|$)/.test(url.pathname)
        ? `/embed?${new URLSearchParams({ embed_host: 'octavo', url: url.href })}`
        : undefined,
  },
  {
    frame: 'https://codepen.io',
    of: url =>
      path(
        url,
        ['codepen.io'],
        /^\/([\w-]{1,80}\/)(?:pen|embed|full|details)\/([\w-]{1,80})\/?$/,
        (by, id) => `/${by}embed/${id}`,
      ),
  },
]

export const PLAYER_ORIGINS: readonly string[] = PLAYERS.map(({ frame }) => frame)

/** The address of the player for an embedded address; undefined for every host that is not named here. */
export function playerOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  for (const { frame, of } of PLAYERS) {
    const found = of(url)
    if (found !== undefined) return frame + found
  }
  return undefined
}

const hostOf = (url: URL): string => url.hostname.replace(/^(?:www|m)\./, '')

function path(
  url: URL,
  hosts: readonly string[],
  pattern: RegExp,
  toFrame: (...parts: string[]) => string,
): string | undefined {
  if (!hosts.includes(hostOf(url))) return undefined
  const [whole, ...parts] = pattern.exec(url.pathname) ?? []
  return whole === undefined ? undefined : toFrame(...parts)
}

function youTube(url: URL): string | undefined {
  const host = hostOf(url)
  const id =
    host === 'youtu.be'
      ? url.pathname.slice(1)
      : host === 'youtube.com' || host === 'youtube-nocookie.com'
        ? (url.searchParams.get('v') ?? /^\/(?:embed|shorts|live)\/([\w-]{1,40})$/.exec(url.pathname)?.[1])
        : undefined
  return id != null && /^[\w-]{6,40}$/.test(id) ? `/embed/${id}` : undefined
}
