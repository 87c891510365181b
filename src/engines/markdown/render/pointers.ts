// Blocks that point at something else, as GitBook's tags: embeds, files, pages, included contents, specifications,
// blocks of integrations. What leads nowhere is not written, but for the words that it has of its own.
import type { BlockOf } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { labelOf } from './inlines.ts'
import { markdownLink } from './markdown-line.ts'
import { openTag } from './quoting.ts'
import type { Lines, Rendering } from './rendering.ts'

export const renderEmbed = ({ data }: BlockOf<'embed'>): Lines => [
  openTag('embed', { url: data.url, fullWidth: on(data.fullWidth) }),
]

export function renderFile({ data }: BlockOf<'file'>, rendering: Rendering): Lines {
  const src = rendering.write(data.ref)
  return src === undefined ? [] : [openTag('file', { src })]
}

export function renderContentRef({ data }: BlockOf<'content-ref'>, rendering: Rendering): Lines {
  const url = rendering.write(data.ref)
  return url === undefined ? [] : [openTag('content-ref', { url }), linkTo(url), '{% endcontent-ref %}']
}

/** The link between a pair of tags, for those who read the plain Markdown. */
const linkTo = (url: string): string => markdownLink(labelOf(url) || url, url)

export function renderInclude({ data }: BlockOf<'reusable-content'>, rendering: Rendering): Lines {
  const path = rendering.write(data.ref)
  if (path === undefined) return []
  const line = inOneLine(path)
  return [`{% include ${line.includes('"') ? `'${line}'` : `"${line}"`} %}`]
}

const on = (value: boolean | undefined): string | undefined => (value ? 'true' : undefined)

export function renderOpenapi(
  block: BlockOf<'openapi-operation' | 'openapi-schemas' | 'openapi-webhook'>,
  rendering: Rendering,
): Lines {
  const spec = rendering.write(block.data.ref)
  const tag = (attributes: Record<string, string | undefined>): Lines => [
    openTag(block.type, { spec, ...attributes }),
    `{% end${block.type} %}`,
  ]
  switch (block.type) {
    case 'openapi-operation':
      return tag({ path: block.data.path, method: block.data.method, headless: on(block.data.headless) })
    case 'openapi-webhook':
      return tag({ name: block.data.name, method: block.data.method, headless: on(block.data.headless) })
    case 'openapi-schemas':
      return tag({
        schemas: block.data.schemas.map(one => one.trim()).join(','),
        grouped: block.data.grouped?.toString(),
      })
  }
}

/** An endpoint of a specification that stands in the repository or on the web. */
export function renderSwagger({ data }: BlockOf<'swagger'>, rendering: Rendering): Lines {
  const src = rendering.write(data.ref)
  const { path, method } = data
  const tag = openTag('openapi', {
    src,
    path,
    method,
    expanded: data.expanded?.toString(),
    fullWidth: on(data.fullWidth),
  })
  return [tag, ...(src === undefined ? [] : [linkTo(src)]), '{% endopenapi %}']
}

/** `{% @integration/block … %}`: its properties are attributes, those that are no text as JSON. */
export function renderIntegration({ data }: BlockOf<'integration'>): Lines {
  const name = `@${data.integration}/${data.block}`
  if (!/^@[\w-]+\/[\w-]+$/.test(name))
    return data.url === undefined ? [] : [openTag('embed', { url: data.url })]
  const { url, fullWidth } = data
  const attributes = new Map<string, string | boolean | undefined>()
  for (const [key, value] of Object.entries(data.props))
    attributes.set(key, typeof value === 'string' || value === true ? value : JSON.stringify(value))
  if (url !== undefined) attributes.set('url', url)
  if (fullWidth && !attributes.has('fullWidth')) attributes.set('fullWidth', 'true')
  return [openTag(name, Object.fromEntries(attributes))]
}
