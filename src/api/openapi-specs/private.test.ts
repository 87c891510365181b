// Private specifications: shown where the head of a space publishes them, and to those who may see them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import {
  type Caller,
  keepPrivate,
  OUTSIDERS,
  SECRET,
  summaryOf,
} from '../../../test/support/private-specification.ts'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { publishComputed } from '../content/published-references.ts'
import { insertMember } from '../members/rows.ts'

const w = await world()
before(() => keepPrivate(w, 'private'))

const START = { 'README.md': '# Start\n' }
const naming = (slug: string) => ({ ...START, 'SUMMARY.md': summaryOf(slug) })

const compute = (space: string, slug: string, { as, query = '' }: Caller, props: object, what: string) =>
  w.call('POST', `/spaces/${space}/content/computed/${what}${query}`, {
    as: as ?? null,
    body: {
      source: {
        ...{ type: 'builtin:openapi', props },
        dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
      },
      seed: '',
    },
  })

const ANSWERS = [
  ['revision', { models: true }],
  ['document', { doc: 'info' }],
  ['document', { doc: 'info', page: 'absent' }],
  ['document', { doc: 'operations', page: 'tag-payroll' }],
] as const

const grantEdit = (space: string) =>
  w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.guest.id}`, { body: { role: 'edit' } })

const pagesOf = async (path: string, as: Caller['as']): Promise<string> =>
  (await w.call('GET', `${path}/content/pages`, { as: as ?? null })).text

for (const [who, { visibility, of }] of Object.entries(OUTSIDERS))
  test(`${who} is answered about a private specification as about one that does not exist`, async () => {
    const space = await spaceWith(w, START, { visibility })
    const caller = await of(w, space)
    const slug = `s-${newId().toLowerCase()}`
    const ask = () => Promise.all(ANSWERS.map(([what, props]) => compute(space, slug, caller, props, what)))
    const unknown = (await ask()).map(({ status, text }) => [status, text])
    assert.deepEqual(
      unknown.map(([status]) => status),
      [200, 404, 200, 404],
    )
    await keepPrivate(w, slug)
    assert.deepEqual(
      (await ask()).map(({ status, text }) => [status, text]),
      unknown,
    )
    const own = await compute(space, slug, { as: 'read' }, { models: true }, 'revision')
    assert.match(own.text, new RegExp(SECRET))
    await publishFiles(w, space, naming(slug))
    const published = await compute(space, slug, caller, { models: true }, 'revision')
    assert.match(published.text, new RegExp(SECRET), 'what the head publishes is shown')
  })

test('a name that a guest writes at the head publishes nothing, whoever reads it', async () => {
  const space = await spaceWith(w, START, { visibility: 'public' })
  await grantEdit(space)
  await publishFiles(w, space, naming('private'), 'guest')
  for (const as of ['admin', 'guest', null] as const) {
    assert.match(await pagesOf(`/spaces/${space}`, as), /"title":"private"/)
    assert.doesNotMatch(await pagesOf(`/spaces/${space}`, as), new RegExp(SECRET))
  }
  await w.call('PATCH', `/orgs/${w.organizationId}/openapi/private`, { body: { visibility: 'public' } })
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  await w.call('PATCH', `/orgs/${w.organizationId}/openapi/private`, { body: { visibility: 'private' } })
  assert.doesNotMatch(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
})

test('what a member publishes stays while its page has the name, whoever edits the space', async () => {
  const space = await spaceWith(w, naming('private'), { visibility: 'public' })
  await grantEdit(space)
  await publishFiles(w, space, { ...naming('private'), 'README.md': '# Changed\n' }, 'guest')
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  await publishFiles(w, space, START, 'guest')
  await publishFiles(w, space, naming('private'), 'guest')
  assert.doesNotMatch(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  await publishFiles(w, space, START)
  await publishFiles(w, space, naming('private'))
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
})

test('a specification that is added after the page that a member wrote is shown there', async () => {
  const space = await spaceWith(w, naming('later'), { visibility: 'public' })
  const other = await spaceWith(w, START, { visibility: 'public' })
  await grantEdit(other)
  await publishFiles(w, other, naming('later'), 'guest')
  await keepPrivate(w, 'later')
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  assert.doesNotMatch(await pagesOf(`/spaces/${other}`, null), new RegExp(SECRET))
})

test('in a change request and its revisions each reader sees what they may see, until it is merged', async () => {
  const space = await spaceWith(w, START, { visibility: 'public' })
  await grantEdit(space)
  const { body: made } = await w.call('POST', `/spaces/${space}/change-requests`, { as: 'guest', body: {} })
  await proposeFiles(w, made.id, naming('private'), 'guest')
  const path = `/spaces/${space}/change-requests/${made.id}`
  for (const as of ['admin', 'guest', 'admin'] as const)
    assert.equal((await pagesOf(path, as)).includes(SECRET), as === 'admin')
  const publishedBy = async (as: 'admin' | 'guest') =>
    (await w.call('GET', `${path}/mergeability`, { as })).body.publishes.map(
      ({ kind, slug }: { kind: string; slug: string }) => [kind, slug],
    )
  assert.deepEqual(await publishedBy('admin'), [['openapi', 'private']])
  assert.deepEqual(await publishedBy('guest'), [])
  await publishFiles(w, space, naming('private'))
  assert.deepEqual(await publishedBy('admin'), [], 'the head publishes it already')
  await publishFiles(w, space, START)
  assert.deepEqual(await publishedBy('admin'), [['openapi', 'private']])
  await w.call('POST', `${path}/merge`, { body: {} })
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  const { body: published } = await w.call('GET', `/spaces/${space}`)
  await w.call('POST', `/spaces/${space}/revisions/${published.revision}/rollback`)
  const earlier = `/spaces/${space}/revisions/${published.revision}/pages`
  assert.match((await w.call('GET', earlier, { as: 'read' })).text, new RegExp(SECRET))
  const { text } = await w.call('GET', earlier, { as: 'guest' })
  assert.match(text, /"title":"private"/)
  assert.doesNotMatch(text, new RegExp(SECRET))
})

test('a copy of a space publishes what the person may see who makes it', async () => {
  const space = await spaceWith(w, naming('private'), { visibility: 'private' })
  const { body: copy } = await w.call('POST', `/spaces/${space}/duplicate`)
  await w.call('PATCH', `/spaces/${copy.id}`, { body: { visibility: 'public' } })
  assert.match(await pagesOf(`/spaces/${copy.id}`, null), new RegExp(SECRET))
  const { body: collection } = await w.call('POST', `/orgs/${w.organizationId}/collections`, {
    body: { title: 'C' },
  })
  await w.call('POST', `/spaces/${space}/move`, { body: { parent: collection.id } })
  await w.call('PATCH', `/collections/${collection.id}/permissions/users/${w.people.guest.id}`, {
    body: { role: 'create' },
  })
  const { body: ofGuest, status } = await w.call('POST', `/spaces/${space}/duplicate`, { as: 'guest' })
  assert.equal(status, 201)
  assert.doesNotMatch(await pagesOf(`/spaces/${ofGuest.id}`, 'admin'), new RegExp(SECRET))
})

test('a transferred space publishes what the person may see in the organization that it comes to', async () => {
  const there = await world()
  await keepPrivate(there, 'private')
  const join = (person: 'admin' | 'create', role: 'admin' | null) =>
    there.services.transaction(trx =>
      insertMember(trx, { organization_id: there.organizationId, user_id: w.people[person].id, role }),
    )
  await join('admin', 'admin')
  await join('create', null)
  const { body: collection } = await there.call('POST', `/orgs/${there.organizationId}/collections`, {
    body: { title: 'Of a guest' },
  })
  await there.call('PATCH', `/collections/${collection.id}/permissions/users/${w.people.create.id}`, {
    body: { role: 'create' },
  })
  const transfer = async (as: 'admin' | 'create', body: object) => {
    const space = await spaceWith(w, naming('private'), { visibility: 'public' })
    await w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.create.id}`, {
      body: { role: 'admin' },
    })
    const { status } = await w.call('POST', `/spaces/${space}/transfer`, {
      body: { organization: there.organizationId, ...body },
      as,
    })
    assert.equal(status, 200)
    return (await pagesOf(`/spaces/${space}`, null)).includes(SECRET)
  }
  assert.equal(await transfer('admin', {}), true)
  assert.equal(await transfer('create', { collection: collection.id }), false)
})

test('what computed pages showed at the head before heads recorded it is still shown', async () => {
  const space = await spaceWith(w, naming('private'), { visibility: 'public' })
  const { db } = w.services
  const { root_hash } = await db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select('root_hash')
    .where('spaces.id', '=', space)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('published_references').where('space_id', '=', space).execute()
  assert.doesNotMatch(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  await publishComputed(w.services, space, root_hash.toString('hex'))
  assert.match(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
  await db.deleteFrom('published_references').where('space_id', '=', space).execute()
  await publishFiles(w, space, naming('other'))
  await publishFiles(w, space, naming('private'), 'guest')
  await publishFiles(w, space, naming('other'), 'guest')
  await publishComputed(w.services, space, root_hash.toString('hex'))
  assert.doesNotMatch(await pagesOf(`/spaces/${space}`, null), new RegExp(SECRET))
})
