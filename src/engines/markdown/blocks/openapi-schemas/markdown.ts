// Schemas as Markdown.
import { type BlockRenderers, tagged } from '../../render/tagging.ts'

export const schemas = {
  'openapi-schemas': ({ data }, rendering) =>
    tagged('openapi-schemas', { ...data, spec: rendering.write(data.ref) }, []),
} satisfies BlockRenderers
