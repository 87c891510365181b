// Describes clusters: in the words of their issues, and in those of a language model where there is one.
import { assertDefined } from '../../base/assert.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Description } from '../../engines/conversations/description.ts'
import {
  DESCRIPTION_RULES,
  readDescription,
  toDescriptionText,
} from '../../engines/conversations/written-description.ts'
import type { Services } from '../../http/context.ts'
import { storable } from '../../platform/db/text.ts'
import type { LanguageModel } from '../../platform/model/model.ts'
import {
  describeClusters,
  lockClusters,
  takeUndescribed,
  type UndescribedCluster,
} from './written-clusters.ts'

const CLUSTERS_AT_ONCE = 20
/** Each is one request to the model. */
const CLUSTERS_WRITTEN_AT_ONCE = 4
const ISSUES_DESCRIBED_MAX = 100
const OUTPUT_TOKENS_MAX = 400

/** Until no changed cluster is left. A model that fails, or is turned off, is not asked again in this run. */
export async function describeChanged(
  services: Services,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  let { model } = services
  for (;;) {
    signal.throwIfAborted()
    const countMax = model === undefined ? CLUSTERS_AT_ONCE : CLUSTERS_WRITTEN_AT_ONCE
    const taken = await services.transaction(async trx => {
      await lockClusters(trx, organizationId)
      return takeUndescribed(trx, organizationId, countMax, ISSUES_DESCRIBED_MAX)
    })
    if (taken.length === 0) return
    const descriptions = await describe(services, organizationId, taken)
    const writer = model
    const written = await Promise.all(
      writer === undefined
        ? []
        : taken.map(cluster => write(services, writer, organizationId, cluster, signal)),
    )
    if (written.includes('failed')) model = undefined
    await services.transaction(trx =>
      describeClusters(
        trx,
        taken.map(({ id, changed_at }, at) => {
          const better = written[at]
          const description = assertDefined(descriptions[at], 'there is a description for each cluster')
          return { id, changed_at, ...description, ...(typeof better === 'object' ? better : {}) }
        }),
      ),
    )
  }
}

async function describe(
  services: Pick<Services, 'compute'>,
  organizationId: string,
  clusters: readonly UndescribedCluster[],
): Promise<Description[]> {
  const outcome = await services.compute.run('clusterDescriptions', organizationId, {
    clusters: clusters.map(({ issues }) => issues),
  })
  if (outcome.kind !== 'done') throw new Error('to describe clusters took too much')
  return outcome.value
}

/** Undefined if the model's text is not a description: those of other clusters may be. */
async function write(
  services: Pick<Services, 'log'>,
  model: LanguageModel,
  organizationId: string,
  { id, issues }: UndescribedCluster,
  signal: AbortSignal,
): Promise<Pick<Description, 'label' | 'summary'> | 'failed' | undefined> {
  const text = toDescriptionText(issues, `issue-${newId()}`)
  const asked = { organizationId, rules: DESCRIPTION_RULES, text, outputTokensMax: OUTPUT_TOKENS_MAX, signal }
  let written = ''
  try {
    for await (const piece of model.write(asked)) written += piece
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
    if (error.code !== 'model_off')
      services.log.warn({ code: error.code, err: error.cause }, 'clusters are described without the model')
    return 'failed'
  }
  const description = readDescription(storable(written))
  if (description === undefined) services.log.warn({ cluster: id }, 'the model described nothing')
  return description
}
