// A webhook as Markdown.
import { type BlockRenderers, tagged } from '../../render/tagging.ts'

export const webhook = {
  'openapi-webhook': ({ data }, rendering) =>
    tagged('openapi-webhook', { ...data, spec: rendering.write(data.ref) }, []),
} satisfies BlockRenderers
