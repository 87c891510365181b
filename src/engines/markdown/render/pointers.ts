// Blocks that point at something else, as GitBook's tags: embeds, files, pages, included contents, specifications,
// blocks of integrations. What leads nowhere is not written, but for the words that it has of its own.
import type { BlockOf } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { on, openTag, taggedLines } from './gitbook-tags.ts'
import { labelOf } from './inlines.ts'
import { markdownLink } from './markdown-line.ts'
import type { BlockRenderers, Lines } from './rendering.ts'

export const POINTERS = {
  embed: ({ data: { url, fullWidth } }) => [openTag('embed', { url, fullWidth: on(fullWidth) })],

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

  'openapi-operation': ({ type, data: { ref, path, method, headless } }, rendering) =>
    taggedLines(type, { spec: rendering.write(ref), path, method, headless: on(headless) }, []),

  'openapi-webhook': ({ type, data: { ref, name, method, headless } }, rendering) =>
    taggedLines(type, { spec: rendering.write(ref), name, method, headless: on(headless) }, []),

  'openapi-schemas': ({ type, data: { ref, schemas, grouped } }, rendering) => {
    const names = schemas.map(one => one.trim()).join(',')
    return taggedLines(type, { spec: rendering.write(ref), schemas: names, grouped: grouped?.toString() }, [])
  },

  // An endpoint of a specification in the repository or on the web.
  swagger: ({ data: { ref, path, method, expanded, fullWidth } }, rendering) => {
    const src = rendering.write(ref)
    const attributes = { src, path, method, expanded: expanded?.toString(), fullWidth: on(fullWidth) }
    return taggedLines('openapi', attributes, src === undefined ? [] : [linkTo(src)])
  },

  integration: renderIntegration,
} satisfies BlockRenderers

/** The link between a pair of tags, for those who read the plain Markdown. */
const linkTo = (url: string): string => markdownLink(labelOf(url) || url, url)

/** `{% @integration/block … %}`: its properties are attributes, those that are no text as JSON. */
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
