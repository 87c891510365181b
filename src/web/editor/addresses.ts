// Addresses of pages and files as the server writes them: paths from the file of the page that has the link, which last
// when the address of a page changes.
import { cache } from '../data/cache.ts'
import { linkTargets } from '../data/link-targets.ts'
import type { PageWriting } from './page-writing.ts'

/** `file` is its path in the repository; what has none yet is named by `id`, of which the server makes a path. */
type Target = { readonly kind: 'pages' | 'files'; readonly id: string; readonly file: string | undefined }

/** The pages that can be linked, and the page that is being written. */
export async function readTargets(writing: PageWriting) {
  const targets = await cache.fetchQuery(linkTargets(writing.place.get()))
  return { targets, own: targets.find(({ id }) => id === writing.pageId) }
}

export const addressFrom = (from: string | undefined, { kind, id, file }: Target): string =>
  from === undefined || file === undefined ? `/${kind}/${id}` : relativePath(from, file)

function relativePath(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1)
  const parts = to.split('/')
  const differ = folders.findIndex((folder, at) => folder !== parts[at])
  const shared = Math.min(differ === -1 ? folders.length : differ, parts.length - 1)
  return [...folders.slice(shared).map(() => '..'), ...parts.slice(shared)].join('/')
}

/** An address with white space or parentheses is written between angle brackets (CommonMark 0.31, 6.3). */
export const link = (words: string, address: string): string =>
  `[${words.replace(/[\\[\]`*_<]/g, '\\$&')}](${/[\s()]/.test(address) ? `<${address}>` : address})`
