// The body of a page as safe HTML, made once for a revision of it and kept.
import { LRUCache } from 'lru-cache'
import { toDownloadUrl } from '../api/content/download.ts'
import { indexOf } from '../api/content/index-of-content.ts'
import { readText } from '../api/content/reads.ts'
import { targetFrom } from '../api/content/resolve.ts'
import { toAddress } from '../api/content/wire.ts'
import type { Content } from '../engines/content/content.ts'
import type { PageRecord } from '../engines/content/records.ts'
import type { HtmlOptions, HtmlOutlineEntry, LinkTarget, Reusable } from '../engines/markdown/html/options.ts'
import { toHtml } from '../engines/markdown/html.ts'
import { parseMarkdown } from '../engines/markdown/parse.ts'
import type { Services } from '../http/context.ts'
import type { Highlighter } from './highlight.ts'
import { pageHref, spaceHref } from './views.ts'

export type RenderedPage = { readonly html: string; readonly outline: readonly HtmlOutlineEntry[] }

type RenderServices = Pick<Services, 'objects' | 'urls' | 'signingKey'>

export interface PageRenderer {
  /** `root` names the content and `base` where its pages stand, so what is kept is right for as long as it is kept. */
  render(
    at: { base: string; root: string },
    content: Content,
    id: string,
    record: PageRecord,
  ): Promise<RenderedPage>
}

/** Where a link to a page leads; `anchor` is '' for the page as a whole. */
export type PageAddress = (id: string, anchor: string) => string

const EMPTY: RenderedPage = { html: '', outline: [] }

export function createPageRenderer(
  services: RenderServices,
  { highlight }: Highlighter,
  bytesMax: number,
): PageRenderer {
  const kept = new LRUCache<string, RenderedPage>({
    maxSize: bytesMax,
    sizeCalculation: page => page.html.length * 2 + page.outline.length * 200 + 200,
  })
  return {
    async render({ base, root }, content, id, record) {
      if (record.document === null) return EMPTY
      const key = `${base} ${root} ${id}`
      const found = kept.get(key)
      if (found !== undefined) return found
      const { html, outline, isComplete } = await toHtml(
        parseMarkdown(await readText(services, record.document)),
        {
          ...(await pageOptions(services, content, record, addressBelow(base, content))),
          highlight,
          pageTitle: record.title,
        },
      )
      const page = { html, outline }
      // Code that was not coloured in time is coloured for the next reader.
      if (isComplete) kept.set(key, page)
      return page
    },
  }
}

/** Pages by their paths below the address of their space or change request. */
export function addressBelow(base: string, content: Content): PageAddress {
  const { paths } = indexOf(content)
  return (id, anchor) => `${pageHref(base, paths.get(id) ?? '')}${anchor === '' ? '' : `#${anchor}`}`
}

/** What the renderer has to know to show the text of a page of this content, or a part of it. */
export async function pageOptions(
  services: RenderServices,
  content: Content,
  record: Pick<PageRecord, 'file' | 'variables'>,
  address: PageAddress,
): Promise<HtmlOptions> {
  const file = record.file ?? ''
  return {
    ...resolversFrom(services, content, file, address),
    reusable: await loadReusables(services, content, file, address),
    variables: { ...Object.fromEntries(content.variables), ...record.variables },
  }
}

type Resolvers = Pick<HtmlOptions, 'resolveLink' | 'resolveImage'>

function resolversFrom(
  services: RenderServices,
  content: Content,
  fromFile: string,
  address: PageAddress,
): Resolvers {
  const target = targetFrom(content, fromFile)
  return {
    resolveLink(destination) {
      const found = target(destination)
      switch (found.kind) {
        case 'page': {
          const record = content.pages.get(found.id)
          return { ...INTERNAL, href: address(found.id, found.anchor ?? ''), ...describe(record) }
        }
        case 'file': {
          const record = content.files.get(found.id)
          if (record === undefined) return { ...BROKEN, href: destination }
          return {
            ...INTERNAL,
            href: toDownloadUrl(services.urls, services.signingKey, toAddress(record)),
            label: record.name,
          }
        }
        case 'anchor':
          return { ...INTERNAL, href: found.anchor === '' ? '' : `#${found.anchor}` }
        case 'space':
          return { ...INTERNAL, href: spaceHref(found.id) }
        case 'url':
          return { href: found.url, isExternal: true, isBroken: false }
        default:
          return { ...BROKEN, href: destination }
      }
    },
    resolveImage(destination) {
      const found = target(destination)
      if (found.kind === 'url') return { src: found.url }
      const record = found.kind === 'file' ? content.files.get(found.id) : undefined
      if (record === undefined) return undefined
      return {
        src: toDownloadUrl(services.urls, services.signingKey, toAddress(record)),
        ...record.dimensions,
      }
    },
  }
}

const INTERNAL = { isExternal: false, isBroken: false } as const
const BROKEN = { isExternal: false, isBroken: true } as const

const describe = (record: PageRecord | undefined): Partial<LinkTarget> =>
  record === undefined
    ? {}
    : {
        label: record.title,
        ...(record.description === undefined ? {} : { description: record.description }),
        ...(record.emoji === undefined ? {} : { emoji: record.emoji }),
        ...(record.icon === undefined ? {} : { icon: record.icon }),
      }

// A space has a handful; more would make every page with an include read all of them.
const REUSABLES_MAX = 500

/** Every reusable content of the space, parsed when a page first asks for it. */
async function loadReusables(
  services: RenderServices,
  content: Content,
  fromFile: string,
  address: PageAddress,
): Promise<(destination: string) => Reusable | undefined> {
  const records = [...content.reusables].slice(0, REUSABLES_MAX)
  if (records.length === 0) return () => undefined
  const bodies = await services.objects.getMany(records.map(([, record]) => record.document))
  const target = targetFrom(content, fromFile)
  return destination => {
    const found = target(destination)
    const record = found.kind === 'reusable-content' ? content.reusables.get(found.id) : undefined
    const body = record === undefined ? undefined : bodies.get(record.document)
    if (record === undefined || body === undefined) return undefined
    return {
      root: parseMarkdown(Buffer.from(body).toString('utf8')),
      ...resolversFrom(services, content, record.file, address),
    }
  }
}
