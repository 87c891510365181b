// Content of a change request for a test, written as a repository would be.

import { findChangeRequest } from '../../src/api/change-requests/rows.ts'
import { planImport } from '../../src/api/git-sync/layout.ts'
import { applyContent } from '../../src/api/heads/publish.ts'
import { writeChangeRequestHead } from '../../src/api/heads/write.ts'
import { findSpace } from '../../src/api/spaces/rows.ts'
import { newId } from '../../src/base/ids.ts'
import { memorySource } from './memory-source.ts'
import type { Files } from './pages.ts'
import type { PersonName, World } from './world.ts'

/** Makes the change request have exactly these pages; pages that stay keep their ids, as in an import. */
export async function proposeFiles(
  w: World,
  changeRequestId: string,
  files: Files,
  by: PersonName = 'admin',
): Promise<void> {
  const { services } = w
  const changeRequest = await findChangeRequest(services.db, changeRequestId)
  const space = changeRequest && (await findSpace(services.db, changeRequest.space_id))
  if (changeRequest === undefined || space === undefined) throw new Error('there is no such change request')
  const root = changeRequest.root_hash.toString('hex')
  const content = await services.contents.get(root)
  const hashes = [...content.pages.values()].flatMap(({ document }) => (document === null ? [] : [document]))
  const source = memorySource(files, await services.objects.getMany(hashes))
  const { edits, documents } = await planImport(source, content, {
    projectDirectory: '',
    committedAt: '2030-01-01T00:00:00.000Z',
    newId,
    fileBytesMax: 1_000_000,
    onProgress: () => {},
  })
  await writeChangeRequestHead(services, {
    changeRequest,
    base: { revisionId: changeRequest.revision_id, root },
    content: await applyContent(services.objects, root, edits, documents),
    type: 'edits',
    createdBy: w.people[by].id,
  })
}

/** A new change request of the space with these pages. */
export async function changeRequestWith(
  w: World,
  spaceId: string,
  files: Files,
  body: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; number: number }> {
  const { body: made } = await w.call('POST', `/spaces/${spaceId}/change-requests`, { body })
  await proposeFiles(w, made.id, files)
  return made
}
