// An installation on single spaces.

import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { listOnSpaces } from './installation-rows.ts'
import { byItself, reading, writing } from './installation-scopes.ts'
import { changeOnSpace, installOnSpace, uninstallOnSpace } from './on-space-actions.ts'
import {
  type InstallationAt,
  onInstallation,
  onSpaceInstallation,
  type SpaceInstallationAt,
} from './place.ts'
import { readOnSpace, readOnSpaces } from './reads.ts'
import {
  Extended,
  InstallOnSpace,
  ListSpaceInstallations,
  SpaceInstallation,
  SpaceInstallations,
  UpdateSpaceInstallation,
} from './schema.ts'

const operation = operationsOf<'installation', InstallationAt>()
const openedOperation = programOperationsOf<'installation', InstallationAt>()
const onSpaceOperation = operationsOf<'installation', SpaceInstallationAt>()
const openedOnSpaceOperation = programOperationsOf<'installation', SpaceInstallationAt>()

export const onSpaceOperations = [
  ...mount(
    [onInstallation],
    [
      openedOperation({
        ...reading,
        id: 'listIntegrationInstallationSpaces',
        path: '/spaces',
        summary: 'List spaces that an installation is set up on',
        description: 'One by one, oldest first.',
        may: 'view',
        by: byItself,
        query: ListSpaceInstallations,
        reply: SpaceInstallations,
        run: async ({ context, at: { integration, installation }, query: { extended, ...query } }) => {
          const page = await listOnSpaces(context.db, { installation: installation.id }, query)
          return readOnSpaces(context, integration, page, extended)
        },
      }),
      operation({
        ...writing,
        id: 'installIntegrationOnSpace',
        method: 'POST',
        path: '/spaces',
        summary: 'Set an installation up on a space',
        description: 'Where `space_selection` is `selected`, it reaches these spaces only.',
        may: 'manage',
        query: Extended,
        body: InstallOnSpace,
        reply: SpaceInstallation,
        status: 201,
        run: async ({ context, at, query, body }) => {
          const row = await installOnSpace(context, at, body.space)
          return created(await readOnSpace(context, at.integration, row, query.extended))
        },
      }),
    ],
  ),
  ...mount(
    [onSpaceInstallation],
    [
      openedOnSpaceOperation({
        ...reading,
        id: 'getIntegrationSpaceInstallation',
        path: '',
        summary: 'Get an installation on a space',
        may: 'view',
        by: byItself,
        query: Extended,
        reply: SpaceInstallation,
        run: async ({ context, at, query }) =>
          readOnSpace(context, at.integration, at.onSpace, query.extended),
      }),
      openedOnSpaceOperation({
        ...writing,
        id: 'updateIntegrationSpaceInstallation',
        method: 'PATCH',
        path: '',
        summary: 'Change an installation on a space',
        description: 'Absent fields stay as they are.',
        may: 'configure',
        by: byItself,
        query: Extended,
        body: UpdateSpaceInstallation,
        reply: SpaceInstallation,
        run: async ({ context, at, query, body }) =>
          readOnSpace(context, at.integration, await changeOnSpace(context, at, body), query.extended),
      }),
      onSpaceOperation({
        ...writing,
        id: 'uninstallIntegrationFromSpace',
        method: 'DELETE',
        path: '',
        summary: 'Remove an installation from a space',
        may: 'manage',
        absent: 'done',
        run: ({ context, at }) => uninstallOnSpace(context, at),
      }),
    ],
  ),
]
