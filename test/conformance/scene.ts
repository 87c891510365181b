// The scene of the tests over all operations: a world with one of everything, so that the path of any operation can be
// written with ids that are there. A place that is added brings its ids here.
import { setTimeout as sleep } from 'node:timers/promises'
import { allows, type RoleOn, rolesOn, type Subject } from '../../src/access/policy.ts'
import { newId } from '../../src/base/ids.ts'
import type { Operation } from '../../src/http/operation.ts'
import type { Environment } from '../../src/platform/config.ts'
import { allRead, conversation } from '../support/conversations.ts'
import { type PersonName, type World, world } from '../support/world.ts'

/** A new world with one of everything, which nobody else changes. */
export async function newScene(settings?: Environment) {
  const w = await world(settings)
  const org = `/orgs/${w.organizationId}`
  const space = await w.createSpace({ title: 'Private' })
  const { body: changeRequest } = await w.call('POST', `/spaces/${space.id}/change-requests`)

  const { id: collection } = await w.services.db
    .insertInto('collections')
    .values({ id: newId(), organization_id: w.organizationId, position: '', title: 'Guides' })
    .returning('id')
    .executeTakeFirstOrThrow()

  const { body: team } = await w.call('PUT', `${org}/teams`, {
    body: { title: 'Writers', members: [w.people.comment.id] },
  })
  await w.call('PUT', `${org}/teams/${team.id}/members/${w.people.edit.id}`, { body: { role: 'owner' } })

  const { body: shareLink } = await w.call('POST', `/spaces/${space.id}/share-links`, {
    body: { name: 'Partners' },
  })

  const { body: provider } = await w.call('POST', `${org}/saml`, { body: { label: 'Staff' } })

  const { body: invite } = await w.call('POST', `${org}/link-invites`, { body: { role: 'read' } })

  const { body: integration } = await w.call('POST', `/integrations/scene-${newId().toLowerCase()}`, {
    body: {
      ...{ organization: w.organizationId, title: 'Scene', description: 'Of the scene.' },
      ...{ script: '', scopes: ['space:content:read'] },
    },
  })
  const installed = `/integrations/${integration.name}/installations`
  const { body: installation } = await w.call('POST', installed, { body: { organization: w.organizationId } })
  await w.call('POST', `${installed}/${installation.id}/spaces`, { body: { space: space.id } })

  // It is paused, so that nothing is sent to it.
  const { body: webhook } = await w.call('POST', `/spaces/${space.id}/webhooks`, {
    body: { url: 'http://127.0.0.1:9/hook' },
  })
  await w.call('PATCH', `/spaces/${space.id}/webhooks/${webhook.id}`, { body: { active: false } })

  const why = 'Why does the printer not print from its second tray?'
  await w.call('POST', `${org}/conversations`, { body: [conversation('1', why), conversation('2', why)] })
  await allRead(w)
  const { body: issues } = await w.call('GET', `${org}/conversations-issues`)
  const [{ issue }] = issues.items
  const { body: task } = await w.call('POST', `/spaces/${space.id}/agent-tasks`, {
    body: { title: 'Explain trays', cluster: issue.cluster },
  })

  const { body: template } = await w.call('POST', `${org}/templates`, {
    body: { title: 'Scene', space: space.id },
  })

  const inserting = { operations: [{ type: 'insert', translations: { en: 'page', de: 'Seite' } }] }
  await w.call('PUT', `${org}/translations-glossary`, { body: inserting })
  const { body: glossary } = await w.call('GET', `${org}/translations-glossary`)

  const text = JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'Scene', version: '1' } },
    paths: { '/a': { get: { responses: { 200: { description: 'Done.' } } } } },
  })
  await w.call('POST', `${org}/openapi`, { body: { slug: 'scene', source: { text } } })
  const version = await untilRead(w, `${org}/openapi/scene`)

  /** By the name of the parameter. */
  const ids: Record<string, string> = {
    agentTaskId: task.id,
    changeRequestId: changeRequest.id,
    clusterId: issue.cluster,
    collectionId: collection,
    conversationId: issue.conversation,
    glossaryEntryId: glossary.items[0].id,
    installationId: installation.id,
    integrationName: integration.name,
    inviteId: invite.id,
    issueId: issue.id,
    organizationId: w.organizationId,
    samlProviderId: provider.id,
    shareLinkId: shareLink.id,
    spaceId: space.id,
    teamId: team.id,
    templateId: template.id,
    revisionId: space.revision,
    specSlug: 'scene',
    userId: w.people.read.id,
    versionId: version,
    webhookId: webhook.id,
  }

  /** A comment of a discussion, and a reply to it. */
  async function saidAt(discussion: string): Promise<Record<string, string>> {
    const said = { body: { body: { markdown: 'Said.' } } }
    const { body: comment } = await w.call('POST', `${discussion}/comments`, said)
    const { body: reply } = await w.call('POST', `${discussion}/comments/${comment.id}/replies`, said)
    return { commentId: comment.id, commentReplyId: reply.id }
  }
  const saidInSpace = await saidAt(`/spaces/${space.id}`)
  const saidInChangeRequest = await saidAt(`/spaces/${space.id}/change-requests/${changeRequest.id}`)

  /** Real ids for the place of an operation, and an unknown one for what hangs below. */
  function paramsOf(operation: Operation): Record<string, string> {
    const said = operation.path.includes('{changeRequestId}') ? saidInChangeRequest : saidInSpace
    const known: Record<string, string> = { ...ids, ...said }
    const names = [...operation.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name)
    return Object.fromEntries(names.map(name => [name, known[name] ?? 'unknown']))
  }

  /** The parameters of its place that the scene has nothing for. */
  const unknownIn = (operation: Operation): string[] =>
    Object.keys(operation.place?.params.properties ?? {}).filter(
      name => paramsOf(operation)[name] === 'unknown',
    )

  const pathOf = (operation: Operation, others: Readonly<Record<string, string>> = {}): string =>
    operation.path.replaceAll(
      /\{(\w+)\*?\}/g,
      (_, name: string) => others[name] ?? paramsOf(operation)[name] ?? 'unknown',
    )

  return { w, org, space, ids, paramsOf, unknownIn, pathOf }
}

/** A caller with this role on the thing: the roles in the organization are the roles on its spaces and collections. */
function personWith(subject: Subject, role: string): PersonName | undefined {
  if (subject === 'user') return role === 'colleague' ? 'edit' : undefined
  if (subject === 'comment') return ON_ANOTHERS_COMMENT[role]
  if (subject === 'team') return ON_A_TEAM[role]
  if (subject === 'member') return ON_A_MEMBER[role]
  if (subject === 'integration' || subject === 'installation') return ON_AN_INTEGRATION[role]
  return role === 'visitor' || role === 'invited' ? undefined : (role as PersonName)
}

/** On what an admin has said. */
const ON_ANOTHERS_COMMENT: Readonly<Record<string, PersonName>> = {
  ...{ reader: 'read', commenter: 'edit', reviewer: 'create', moderator: 'admin' },
}

/** On the team of the scene, which `comment` is in and `edit` owns. */
const ON_A_TEAM: Readonly<Record<string, PersonName>> = {
  ...{ onlooker: 'read', member: 'comment', owner: 'edit', admin: 'admin' },
}

/** On the member of the scene, whose role is `read`. */
const ON_A_MEMBER: Readonly<Record<string, PersonName>> = {
  ...{ onlooker: 'edit', self: 'read', admin: 'admin' },
}

/** On the integration of the scene, which is private, and where it is installed. */
const ON_AN_INTEGRATION: Readonly<Record<string, PersonName>> = {
  ...{ onlooker: 'read', owner: 'admin', admin: 'admin' },
}

/** Roles that nobody of the world has on a thing of the scene: what is tested of them is tested where they are made. */
const NOBODYS: Readonly<Partial<Record<Subject, readonly string[]>>> = {
  user: ['self'],
  comment: ['author'],
  space: ['visitor'],
  invitation: ['invited'],
  integration: ['self'],
  installation: ['self', 'integration'],
}

const who = (subject: Subject, role: string) => {
  const person = personWith(subject, role)
  if (person === undefined && NOBODYS[subject]?.includes(role) !== true)
    throw new Error(`test/conformance/scene.ts has no caller with the role ${role} on a ${subject}`)
  return person
}

/** Each role from the weakest to the strongest that may see the thing, whether it may do this, and a caller with it. */
const standings = ({ place, may }: Operation) =>
  place === null
    ? []
    : rolesOn(place.subject)
        .filter(role => allows(place.subject, 'view', role))
        .map(role => ({
          person: who(place.subject, role),
          may: allows(place.subject, may as never, role as RoleOn<Subject> as never),
        }))

/** The strongest role that may see the thing but not do this with it. */
export const weakPerson = (operation: Operation): PersonName | undefined =>
  standings(operation)
    .filter(({ may }) => !may)
    .map(({ person }) => person)
    .findLast(person => person !== undefined)

/** The weakest role that may do it. */
export const strongPerson = (operation: Operation): PersonName | undefined =>
  standings(operation)
    .filter(({ may }) => may)
    .map(({ person }) => person)
    .find(person => person !== undefined)

/** The id of the version of a specification, once a job has read it. */
async function untilRead(w: World, path: string): Promise<string> {
  for (;;) {
    const { body } = await w.call('GET', path)
    if (body.lastVersion !== undefined) return body.lastVersion
    await sleep(5)
  }
}
