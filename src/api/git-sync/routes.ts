// Imports, exports and the link of a space to a repository.
import { Type } from 'typebox'
import { missing, orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf, uploadsOf } from '../../http/operation.ts'
import { Answer } from '../../http/replies.ts'
import { inOrganizationToCreate } from '../collections/place.ts'
import type { OrganizationAt } from '../organizations/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { toGitSyncState } from '../spaces/wire.ts'
import { receiveArchive } from './archives.ts'
import { disconnectRepository } from './disconnect.ts'
import { startExport } from './export.ts'
import { checkExport } from './export-check.ts'
import { requireTurn, startArchiveImport, startImport } from './import.ts'
import { probeRepository } from './probe.ts'
import { readDirectory } from './request.ts'
import { findOperation, listOperations } from './rows.ts'
import {
  CheckGitExport,
  ExportToGitRepository,
  GitExportCheck,
  GitProbe,
  GitSyncOperation,
  GitSyncOperations,
  GitSyncState,
  ImportArchive,
  ImportGitRepository,
  ListOperations,
  ProbeRepository,
} from './schema.ts'
import { toOperation } from './wire.ts'

const operation = operationsOf<'space', SpaceAt>()
const upload = uploadsOf<'space', SpaceAt>()
const beforeSpace = operationsOf<'organization', OrganizationAt>()

const reading = { method: 'GET', tag: 'Git', may: 'access', scope: 'space:read' } as const
const writing = { tag: 'Git', may: 'triggerGitSync', scope: 'space:write' } as const

/** Empty as in the specification; `Location` is where the progress is. */
const accepted = (location: string): Answer<never> => new Answer<never>(204, undefined, { location })

const probing = mount(
  [inOrganizationToCreate],
  [
    beforeSpace({
      id: 'probeGitRepository',
      method: 'POST',
      path: '/git/probe',
      summary: 'Look at a repository',
      description:
        'Before it is imported. Answers its branches, which needs one request to its host; with `deep` it also fetches one of them, within 45 seconds, and answers what an import would make of it: pages, files, and what could not be carried over. Nothing is written or kept. Octavo extension.',
      tag: 'Git',
      may: 'createContent',
      scope: 'space:write',
      body: ProbeRepository,
      reply: GitProbe,
      isReadOnly: true,
      failures: [413, 429, 503],
      run: async ({ context, at: { organization }, body }) =>
        probeRepository(
          context,
          { organizationId: organization.id, userId: context.principal.user.id },
          body,
        ),
    }),
  ],
)

const ofSpaces = mount(
  [onSpace],
  [
    operation({
      ...reading,
      id: 'getSpaceGitInfo',
      path: '/git/info',
      summary: 'Get the repository of a space',
      description: '404 for a space without one.',
      reply: GitSyncState,
      run: async ({ at }) => {
        if (at.space.git === null) throw missing('git provider')
        return toGitSyncState(at.space.git)
      },
    }),
    operation({
      ...reading,
      id: 'listGitOperations',
      path: '/git/operations',
      summary: 'List imports and exports',
      description: 'Newest first, with their progress, their problems and why they failed.',
      query: ListOperations,
      reply: GitSyncOperations,
      run: async ({ context: { db, urls }, at: { space }, query }) =>
        toList(await listOperations(db, space.id, query), toOperation, urls),
    }),
    operation({
      ...reading,
      id: 'getGitOperation',
      path: '/git/operations/{operationId}',
      params: Type.Object({ operationId: Id('An import or export of the space.') }),
      summary: 'Get an import or export',
      reply: GitSyncOperation,
      run: async ({ context, at, params }) => {
        const row = await findOperation(context.db, at.space.id, params.operationId)
        return toOperation(context.urls, orMissing(row, 'git operation'))
      },
    }),
    operation({
      ...writing,
      id: 'importGitRepository',
      method: 'POST',
      path: '/git/import',
      summary: 'Import a repository',
      description:
        'Starts at once and continues after the answer: `git/operations` shows the progress; `Location` is the address of this operation. The repository is the truth: what it lacks is removed from the space, and stays in its history. Where it has nothing in common with the space, and the space has something that is nowhere else, the import opens a change request, unless forced.',
      body: ImportGitRepository,
      failures: [429],
      run: async ({ context, at, body }) => {
        const id = await startImport(context, at.space, context.principal.user.id, body)
        return accepted(context.urls.api(`/spaces/${at.space.id}/git/operations/${id}`))
      },
    }),
    upload({
      ...writing,
      id: 'importArchive',
      path: '/git/archive',
      summary: 'Import an archive',
      description:
        'The body is a zip archive of documentation, of up to `OCTAVO_REPOSITORY_BYTES_MAX` bytes, packed and unpacked: in GitBook’s layout, or in one of Docusaurus, MkDocs, mdBook, Notion or Confluence, which is converted. Starts once it has been received and continues after the answer: `git/operations` shows the progress and, in `problems`, what could not be converted; `Location` is the address of this operation. The archive is the truth: what it lacks and the last one had leaves the space, and stays in its history. Where the space has something that is nowhere else, and no archive before, the import opens a change request, unless forced. Sent again under its `Idempotency-Key`, it is imported once: of its bytes, only how many they are is compared. Octavo extension.',
      query: ImportArchive,
      isKeyed: true,
      failures: [429],
      run: async ({ context, at, query, body }) => {
        await requireTurn(context, at.space.id)
        const userId = context.principal.user.id
        const asked = {
          format: query.from,
          directory: readDirectory(query.repoProjectDirectory ?? ''),
          isForced: query.force ?? false,
        }
        const archive = await receiveArchive(context, userId, body)
        const id = await startArchiveImport(context, at.space, userId, archive, asked)
        return accepted(context.urls.api(`/spaces/${at.space.id}/git/operations/${id}`))
      },
    }),
    operation({
      ...writing,
      id: 'checkGitExport',
      method: 'POST',
      path: '/git/export/check',
      summary: 'Look at what an export would write',
      description:
        'Fetches the branch, within 45 seconds, and answers which files an export would write and remove, whether new commits come in first, and what would prevent it. Nothing is written. Octavo extension.',
      body: CheckGitExport,
      reply: GitExportCheck,
      isReadOnly: true,
      failures: [413, 429, 503],
      run: ({ context, at, body }) => checkExport(context, at.space, context.principal.user.id, body),
    }),
    operation({
      ...writing,
      id: 'exportToGitRepository',
      method: 'POST',
      path: '/git/export',
      summary: 'Export to a repository',
      description:
        'Writes all differences as one commit on the branch, with the caller as its author. Starts at once and continues after the answer: `git/operations` shows the progress; `Location` is the address of this operation. New commits of the branch are imported first; where both changed something, nothing is changed, and the operation says where.',
      body: ExportToGitRepository,
      failures: [429],
      run: async ({ context, at, body }) => {
        const { id, display_name: name, email } = context.principal.user
        const operationId = await startExport(context, at.space, { id, name, email }, body)
        return accepted(context.urls.api(`/spaces/${at.space.id}/git/operations/${operationId}`))
      },
    }),
    operation({
      id: 'deleteLegacyGitInstallation',
      method: 'DELETE',
      path: '/git/legacy-installation',
      summary: 'Disconnect the repository',
      description:
        'The space is no longer connected to a repository. The content of both stays; the next import has nothing in common with the space. A running import or export continues, but does not connect the space again.',
      tag: 'Git',
      may: 'admin',
      scope: 'space:write',
      run: ({ context, at }) => disconnectRepository(context, at.space.id),
    }),
  ],
)

export const gitOperations = [...probing, ...ofSpaces]
