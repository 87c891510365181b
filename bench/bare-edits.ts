// The least that an edit can cost: the INSERT statements of its document, its revision and its event, in one transaction
// on a database of the same kind that no server uses.
import { join } from 'node:path'
import { createUser } from '../src/api/accounts/actions.ts'
import { insertObjects } from '../src/api/content/objects.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { insertRevision } from '../src/api/spaces/revisions.ts'
import { newId } from '../src/base/ids.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { encodeDocument } from '../src/engines/content/objects.ts'
import { readConfig } from '../src/platform/config.ts'
import { createEvents } from '../src/platform/events/append.ts'
import { createLog } from '../src/platform/log.ts'
import { temporaryFolder } from './measure.ts'
import { createDatabase } from './postgres.ts'
import { proseOf } from './prose.ts'

export async function openBareEdits(pageBytes: number) {
  const database = await createDatabase('bare', process.env.DATABASE_URL)
  const config = { ...process.env, ...database.env, OCTAVO_HOME: join(temporaryFolder(), 'home') }
  const { services, close } = await openRuntime(readConfig(config), createLog('error'))
  const { actorId, organizationId, space } = await services.transaction(async trx => {
    const { id: actorId } = await createUser(trx, `bench-${newId()}@localhost`)
    const { id: organizationId } = await beginOrganization(trx, services.events, actorId, { title: 'Bare' })
    const space = await beginSpace(trx, services, actorId, organizationId, { title: 'Bare' })
    return { actorId, organizationId, space }
  })
  const [spaceId, previous] = [space.id, space.revision_id]
  const events = createEvents()
  let count = 0
  return {
    edit() {
      count += 1
      const document = encodeDocument(`${proseOf(count, pageBytes)}\nEdit ${count}.\n`)
      return services.transaction(async trx => {
        await insertObjects(trx, [document])
        const root = space.root_hash.toString('hex')
        const revision = { spaceId, root, type: 'edits', parents: [previous], createdBy: actorId } as const
        const { id } = await insertRevision(trx, revision)
        const payload = { changeRequest: spaceId, revision: id, previous, type: revision.type }
        await events.append(trx, { type: 'change_request.edited', organizationId, spaceId, actorId, payload })
      })
    },
    async close() {
      await close()
      await database.drop()
    },
  }
}
