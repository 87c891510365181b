// Old addresses: redirects of `.gitbook.yaml`, used only for paths without a page.

import type { Content } from '../../engines/content/content.ts'
import type { Services } from '../../http/context.ts'
import { indexOf } from './index-of-content.ts'
import { readText } from './reads.ts'

/** The path of the page that the configuration names for `path`, if that page exists. */
export async function findRedirect(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  content: Content,
  path: string,
): Promise<string | undefined> {
  const to = (await redirectsOf(services, spaceId, content)).get(path)
  if (to === undefined) return undefined
  const index = indexOf(content)
  const target = index.byFile.get(to)
  return target?.kind === 'page' ? index.paths.get(target.page) : undefined
}

const redirects = new WeakMap<Content, ReadonlyMap<string, string>>()

/** Requested path → path of a file; the first entry wins. Read once per content. */
async function redirectsOf(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  content: Content,
) {
  const found = redirects.get(content)
  if (found !== undefined) return found
  const made = new Map<string, string>()
  if (content.config !== null) {
    const text = await readText(services, content.config)
    const read = await services.compute.run('gitbookConfig', spaceId, { text })
    for (const { from, to } of read.kind === 'done' ? read.value.config.redirects : [])
      if (!made.has(trim(from))) made.set(trim(from), trim(to))
  }
  redirects.set(content, made)
  return made
}

const trim = (path: string): string => path.replace(/^(\.?\/)+|(?<!\/)\/+$/g, '')
