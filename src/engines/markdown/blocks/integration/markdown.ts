// A block of an integration as Markdown: its properties are attributes, those that are not text as JSON.
import { type BlockRenderers, openTag, single } from '../../render/tagging.ts'

export const integration = {
  integration: ({ data }) => {
    const { integration, block, url, fullWidth, props } = data
    const name = `@${integration}/${block}`
    if (!/^@[\w-]+\/[\w-]+$/.test(name)) return url === undefined ? [] : single('embed', { url })
    const attributes = new Map(
      Object.entries(props).map(([key, value]) => [
        key,
        typeof value === 'string' || value === true ? value : JSON.stringify(value),
      ]),
    )
    if (url !== undefined) attributes.set('url', url)
    if (fullWidth && !attributes.has('fullWidth')) attributes.set('fullWidth', 'true')
    return [openTag(name, Object.fromEntries(attributes))]
  },
} satisfies BlockRenderers
