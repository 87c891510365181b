// An OpenAPI specification of the organization of a test.
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

/** A table of contents with the computed pages of the specification `shop`; `props` are lines of YAML. */
export const shopSummary = (props = '') => `* [Start](README.md)
* \`\`\`yaml
  type: builtin:openapi
${props}  dependencies:
    spec:
      ref:
        kind: openapi
        spec: shop
  \`\`\`
`

/** Returns once this text is what pages of the organization show, and no job works on it. */
export async function keepSpecification(w: World, slug: string, text: string): Promise<void> {
  const path = `/orgs/${w.organizationId}/openapi/${slug}`
  await w.call('PUT', path, { body: { source: { text } } })
  for (;;) {
    const { body } = await w.call('GET', path)
    const waiting = await w.services.db.selectFrom('jobs').select('id').where('key', '=', body.id).execute()
    if (body.processingState === 'complete' && waiting.length === 0) return
    await sleep(5)
  }
}
