// Blocks that point at something else, as GitBook's tags: embeds, files, pages, included contents, specifications,
// blocks of integrations. Of a block that leads nowhere, only its own words are written.
import { type BlockOf, writeTagData } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { openTag, taggedLines } from './gitbook-tags.ts'
import { labelOf } from './inlines.ts'
import { markdownLink } from './markdown-line.ts'
import type { BlockRenderers, Lines, Rendering } from './rendering.ts'

export const POINTERS = {
  embed: ({ type, data }) => [openTag(type, writeTagData(type, data))],

  file: ({ data }, rendering) => {
    const src = rendering.write(data.ref)
    return src === undefined ? [] : [openTag('file', { src })]
  },

  'content-ref': ({ data }, rendering) => {
    const url = rendering.write(data.ref)
    return url === undefined ? [] : taggedLines('content-ref', { url }, [linkTo(url)])
  },

  'reusable-content': ({ data }, rendering) => {
    const path = rendering.write(data.ref)
    if (path === undefined) return []
    const line = inOneLine(path)
    return [`{% include ${line.includes('"') ? `'${line}'` : `"${line}"`} %}`]
  },

  'openapi-operation': renderSpecified,
  'openapi-webhook': renderSpecified,
  'openapi-schemas': renderSpecified,

  // An endpoint of a specification in the repository or on the web.
  swagger: ({ type, data }, rendering) => {
    const src = rendering.write(data.ref)
    const lines = src === undefined ? [] : [linkTo(src)]
    return taggedLines('openapi', { src, ...writeTagData(type, data) }, lines)
  },

  integration: renderIntegration,
} satisfies BlockRenderers

function renderSpecified(
  { type, data }: BlockOf<'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>,
  rendering: Rendering,
): Lines {
  return taggedLines(type, { spec: rendering.write(data.ref), ...writeTagData(type, data) }, [])
}

/** The link between a pair of tags, for people who read the plain Markdown. */
const linkTo = (url: string): string => markdownLink(labelOf(url) || url, url)

/** `{% @integration/block … %}`: its properties are attributes, those that are not text as JSON. */
function renderIntegration({ data }: BlockOf<'integration'>): Lines {
  const { integration, block, url, fullWidth, props } = data
  const name = `@${integration}/${block}`
  if (!/^@[\w-]+\/[\w-]+$/.test(name)) return url === undefined ? [] : [openTag('embed', { url })]
  const attributes = new Map(
    Object.entries(props).map(([key, value]) => [
      key,
      typeof value === 'string' || value === true ? value : JSON.stringify(value),
    ]),
  )
  if (url !== undefined) attributes.set('url', url)
  if (fullWidth && !attributes.has('fullWidth')) attributes.set('fullWidth', 'true')
  return [openTag(name, Object.fromEntries(attributes))]
}
