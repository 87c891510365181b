// Whether links written as addresses of this server's own spaces lead anywhere for the caller. What the caller may not
// see counts as missing, so that a link reveals no spaces.
import { allows } from '../../access/policy.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Context } from '../../http/context.ts'
import { indexOf } from '../content/index-of-content.ts'
import { findRedirect } from '../content/redirects.ts'
import { findSpaceFor } from '../spaces/place.ts'

/** Addresses checked per content; the others are assumed to lead somewhere. */
export const OWN_ADDRESSES_MAX = 1_000
// Their contents are read whole.
const SPACES_MAX = 50

/** Returns the addresses that lead nowhere for the caller; all of them begin with `appUrl`. */
export async function findMissing(
  context: Context,
  appUrl: string,
  addresses: readonly string[],
): Promise<string[]> {
  const missing: string[] = []
  const bySpace = Map.groupBy(addresses, address => readAddress(appUrl, address).spaceId)
  for (const [spaceId, some] of [...bySpace].slice(0, SPACES_MAX)) {
    const found = spaceId.includes('\0') ? undefined : await findSpaceFor(context, spaceId)
    if (found === undefined || !allows('space', 'view', found.role)) {
      missing.push(...some)
      continue
    }
    const content = await context.contents.shown(spaceId, found.space.root_hash.toString('hex'), 'published')
    for (const address of some)
      if (!(await hasPath(context, spaceId, content, readAddress(appUrl, address).path)))
        missing.push(address)
  }
  return missing
}

function readAddress(appUrl: string, address: string): { spaceId: string; path: string } {
  const [spaceId = '', ...parts] = (address.trim().slice(appUrl.length).split(/[?#]/, 1)[0] ?? '')
    .split('/')
    .map(percentDecode)
  return { spaceId, path: parts.filter(part => part !== '').join('/') }
}

const LISTS: ReadonlySet<string> = new Set(['llms.txt', 'llms-full.txt'])

/** As in the reader (site/pages/page-answers.ts); paths that begin with `~` are not pages. */
async function hasPath(context: Context, spaceId: string, content: Content, path: string): Promise<boolean> {
  if (path === '' || path.startsWith('~') || LISTS.has(path)) return true
  const { byPath } = indexOf(content)
  if (byPath.has(path) || (path.endsWith('.md') && byPath.has(path.slice(0, -3)))) return true
  return (await findRedirect(context, spaceId, content, path)) !== undefined
}
