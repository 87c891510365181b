// An operation as Markdown: of a specification, or of a file in the repository or on the web.
import { attributesOf, type BlockRenderers, linkLine, tagged, taggedLines } from '../../render/tagging.ts'

export const operation = {
  'openapi-operation': ({ data }, rendering) =>
    tagged('openapi-operation', { ...data, spec: rendering.write(data.ref) }, []),

  swagger: ({ data }, rendering) => {
    const src = rendering.write(data.ref)
    const lines = src === undefined ? [] : [linkLine(src)]
    return taggedLines('openapi', attributesOf('openapi-operation', { ...data, src }), lines)
  },
} satisfies BlockRenderers
