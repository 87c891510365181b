// What a request names is answered only to those who may see it. Every reference of every operation is called by
// somebody who may do the operation and not see the object: one of another organization, and one of the same
// organization that is closed to them. The answer is that for an id that nobody has.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operations } from '../../src/api/index.ts'
import { newId } from '../../src/base/ids.ts'
import type { Operation } from '../../src/http/operation.ts'
import type { RefKind } from '../../src/http/references.ts'
import { installationToken } from '../support/installations.ts'
import { PIXEL, publishFiles } from '../support/pages.ts'
import { keepPrivate, SECRET } from '../support/private-specification.ts'
import { shareLinkOf, visitorTokenOf } from '../support/visitors.ts'
import type { Call, PersonName, World } from '../support/world.ts'
import { allFields } from './reference-fields.ts'
import { requestFor } from './reference-requests.ts'
import { newScene, strongPerson } from './scene.ts'

const here = await newScene()
const there = await newScene()
const { w } = here

const FILES = {
  'README.md': `# ${SECRET}\n\n${SECRET}. ![](.gitbook/assets/payroll.png)\n\n{% include ".gitbook/includes/note.md" %}\n`,
  '.gitbook/includes/note.md': `---\ntitle: ${SECRET}\n---\n\n${SECRET}.\n`,
  '.gitbook/assets/payroll.png': PIXEL,
}

type Hidden = Partial<Record<RefKind, readonly string[]>>

/** What a space has, by kind. */
async function contentOf(by: World, space: string): Promise<Hidden> {
  await publishFiles(by, space, FILES)
  const { body } = await by.call('GET', `/spaces/${space}/content`)
  const { body: changeRequest } = await by.call('POST', `/spaces/${space}/change-requests`, {
    body: { subject: SECRET },
  })
  const { body: task } = await by.call('POST', `/spaces/${space}/agent-tasks`, { body: { title: SECRET } })
  return {
    ...{ space: [space], page: [body.pages[0].id], file: [body.files[0].id], revision: [body.id] },
    ...{
      reusableContent: [body.reusableContents[0].id],
      changeRequest: [changeRequest.id],
      agentTask: [task.id],
    },
  }
}

/** Of another organization: hidden from everybody here. */
let elsewhere: Hidden = {}
/** Of this organization, and closed to those who may not see everything in it. */
let closed: Hidden = {}
/** Of this organization, for its members, and what of it is for those who may read conversations. */
let forMembers: Hidden = {}
let forEditors: Hidden = {}
/** Who reads a space by a proof: none of them may see what is hidden from anybody. */
let visitors: readonly Omit<Caller, 'hidden'>[] = []

before(async () => {
  await there.w.call('PATCH', `/collections/${there.ids.collectionId}`, { body: { title: SECRET } })
  await there.w.call('PATCH', `/spaces/${there.space.id}`, { body: { title: SECRET } })
  const idsOf = (ids: Readonly<Record<string, string>>): Hidden => ({
    conversation: [ids.conversationId ?? ''],
    glossaryEntry: [ids.glossaryEntryId ?? ''],
    issuesCluster: [ids.clusterId ?? ''],
    template: [ids.templateId ?? ''],
  })
  elsewhere = {
    ...(await contentOf(there.w, there.space.id)),
    ...idsOf(there.ids),
    collection: [there.ids.collectionId ?? ''],
    organization: [there.w.organizationId],
    team: [there.ids.teamId ?? ''],
    user: [there.w.people.admin.id, there.w.people.read.id],
    actor: [there.w.people.admin.id],
    target: [there.space.id],
  }
  const { id: space } = await w.createSpace({ title: SECRET })
  await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
  const { body: collection } = await w.call('POST', `${here.org}/collections`, { body: { title: SECRET } })
  await w.call('PATCH', `/collections/${collection.id}`, { body: { defaultLevel: null } })
  await keepPrivate(w, 'payroll-private')
  closed = { ...(await contentOf(w, space)), collection: [collection.id] }
  const { conversation, issuesCluster, ...others } = idsOf(here.ids)
  // A user of the same organization is a colleague of guests too.
  const { body: team } = await w.call('PUT', `${here.org}/teams`, { body: { title: SECRET } })
  forMembers = { ...others, spec: ['payroll-private'], team: [team.id] }
  forEditors = { conversation: conversation ?? [], issuesCluster: issuesCluster ?? [] }

  await publishFiles(w, here.space.id, { 'README.md': '# Start\n', 'other.md': '# Other\n' })
  await w.call('PATCH', `/spaces/${here.space.id}`, { body: { visibility: 'public' } })
  for (const path of [`/spaces/${here.space.id}`, `/collections/${here.ids.collectionId}`])
    for (const person of ['guest', 'create'] as const)
      await w.call('PATCH', `${path}/permissions/users/${w.people[person].id}`, { body: { role: 'admin' } })
  installed = await installationToken(w, ['space:content:read', 'space:content:write'], [here.space.id])
  visitors = await Promise.all([
    visitorBy('the key of a share link', 'share-link', async id => ({
      ...{ as: null, query: { shareKey: (await shareLinkOf(w, id)).key } },
    })),
    visitorBy('a token of a visitor', 'visitor-auth', async id => ({
      as: { token: await visitorTokenOf(w, id) },
    })),
    visitorBy('a content token', 'private', async id => ({
      as: { token: (await w.call('POST', `/spaces/${id}/content-tokens`)).body.token },
    })),
  ])
  // What a filter by a hidden object would find.
  await w.call('POST', `/spaces/${here.space.id}/change-requests`, {
    body: { agentTaskId: here.ids.agentTaskId },
  })
  await uploadTo(here.space.id)
  await uploadTo(space)
})

async function visitorBy(
  name: string,
  visibility: string,
  proofOf: (space: string) => Promise<Pick<Caller, 'as' | 'query'>>,
): Promise<Omit<Caller, 'hidden'>> {
  const { id } = await w.createSpace({ title: 'Read', visibility })
  await publishFiles(w, id, { 'README.md': '# Start\n' })
  return { name, params: { spaceId: id }, ...(await proofOf(id)) }
}

const UPLOAD = 'payroll.txt'
async function uploadTo(space: string): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  await w.call('PUT', `/spaces/${space}/uploads/${UPLOAD}`, { payload: SECRET, headers })
}

/** The token of an integration that is installed on the space alone. */
let installed = ''

/** Members: guests cannot move anything to where others have something that is closed to them. */
const BY_MEMBERS: ReadonlySet<string> = new Set(['moveSpace', 'moveCollection'])
const GUESTS_ON: ReadonlySet<string> = new Set(['space', 'collection', 'comment'])

type Caller = {
  readonly name: string
  readonly as: Exclude<Call['as'], undefined>
  readonly hidden: Hidden
  /** Of the place that they may be at, and their proof. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** Who may call it and sees as little as possible, with what is hidden from them. */
function callersOf(operation: Operation): Caller[] {
  const subject = operation.place?.subject
  const all = [elsewhere, closed, forMembers, forEditors].reduce(join)
  const isReading = operation.by.includes('content') && subject === 'space'
  const others: Caller[] = [
    ...(isReading ? visitors.map(visitor => ({ ...visitor, hidden: all })) : []),
    ...(operation.by.includes('anonymous') ? [{ name: 'nobody', as: null, hidden: all }] : []),
    ...(operation.by.includes('installation')
      ? [{ name: 'an installation', as: { token: installed }, hidden: all }]
      : []),
  ]
  if (BY_MEMBERS.has(operation.id))
    return [{ name: 'a member', as: 'create', hidden: join(elsewhere, closed) }, ...others]
  if (subject !== undefined && GUESTS_ON.has(subject))
    return [{ name: 'a guest', as: 'guest', hidden: all }, ...others]
  const person = operation.place === null ? 'create' : (strongPerson(operation) ?? 'admin')
  return [{ name: person, as: person, hidden: hiddenFrom(person) }, ...others]
}

function hiddenFrom(person: PersonName): Hidden {
  if (person === 'admin') return elsewhere
  const closedToThem = join(elsewhere, closed)
  if (person === 'guest') return [closedToThem, forMembers, forEditors].reduce(join)
  return person === 'read' || person === 'comment' ? join(closedToThem, forEditors) : closedToThem
}

const join = (one: Hidden, other: Hidden): Hidden => {
  const kinds = [...Object.keys(one), ...Object.keys(other)] as RefKind[]
  return Object.fromEntries(kinds.map(kind => [kind, [...(one[kind] ?? []), ...(other[kind] ?? [])]]))
}

const references = allFields().filter(({ kind }) => kind !== undefined)

for (const operation of operations) {
  const fields = references.filter(field => field.operation === operation)
  if (fields.length === 0) continue
  test(`${operation.id} answers what its caller may not see as what does not exist`, async () => {
    for (const { path, kind } of fields) {
      for (const { name, as, hidden, ...at } of callersOf(operation)) {
        const ask = async (id: string) => {
          const { params, query, ...rest } = await requestFor(operation, path, id, here)
          const asked = new URLSearchParams({ ...at.query, ...query })
          const where = here.pathOf(operation, { ...at.params, ...params })
          const { status, text } = await w.call(
            operation.method,
            asked.size === 0 ? where : `${where}?${asked}`,
            { as, ...rest },
          )
          const isStable = status >= 400 || operation.method === 'GET'
          return { status, about: isStable ? text.replaceAll(id, '{id}') : undefined, text }
        }
        const named = kind === 'upload' ? [UPLOAD] : (hidden[kind as RefKind] ?? [])
        assert.ok(
          named.length > 0,
          `${operation.id} ${path}: an object of the kind ${kind} that is hidden from ${name}`,
        )
        const unknown = await ask(kind === 'upload' ? 'unknown.txt' : newId())
        for (const id of named) {
          const answer = await ask(id)
          const about = `${operation.id} ${path} = ${kind} ${id} by ${name}: ${answer.text.slice(0, 500)}`
          assert.equal(answer.status, unknown.status, about)
          assert.equal(answer.about, unknown.about, about)
          assert.ok(!answer.text.replaceAll(id, '').includes(SECRET), about)
        }
      }
    }
  })
}
