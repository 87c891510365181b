import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { type Files, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { type Call, world } from '../../../test/support/world.ts'
import { RESOLUTIONS_MAX } from './schema.ts'

const w = await world()

const README = '# Start\n\nFirst words.\n\nSecond words.\n\nThird words.\n'
const GUIDE = '# Guide\n\nHow to.\n'
const FILES: Files = { 'README.md': README, 'guide.md': GUIDE }

const readme = (...changes: readonly (readonly [string, string])[]): Files => ({
  ...FILES,
  'README.md': changes.reduce((text, [from, to]) => text.replace(from, to), README),
})

type Setting = { readonly id: string; readonly path: string; readonly changeRequest: string }

/** A space and a change request on it, both with their own changes since. */
async function setting(proposed: Files, published?: Files, call: Call = {}): Promise<Setting> {
  const id = await spaceWith(w, FILES)
  const { body } = await w.call('POST', `/spaces/${id}/change-requests`, call)
  await proposeFiles(w, body.id, proposed)
  if (published !== undefined) await publishFiles(w, id, published)
  return { id, path: `/spaces/${id}/change-requests/${body.id}`, changeRequest: body.id }
}

/** Both changed the same lines of the first page. */
const conflicting = () => setting(readme(['Second', 'Proposed']), readme(['Second', 'Published']))

type LinkItem = {
  status: string
  targetReference: { internalLocation?: { anchor: string }; page?: { id: string } }
}

const get = async (path: string) => (await w.call('GET', path)).body
const post = (path: string, body?: unknown, call: Call = {}) =>
  w.call('POST', path, { ...(body === undefined ? {} : { body }), ...call })
const textAt = async (content: string, path = 'readme') => (await get(`${content}/path/${path}`)).markdown
const textOf = (spaceId: string, path?: string) => textAt(`/spaces/${spaceId}/content`, path)
const headOf = async (spaceId: string): Promise<string> => (await get(`/spaces/${spaceId}`)).revision

async function countEvents(spaceId: string, type: string): Promise<number> {
  const rows = await w.services.db
    .selectFrom('events')
    .select('id')
    .where('space_id', '=', spaceId)
    .where('type', '=', type)
    .execute()
  return rows.length
}

test('a change request without conflicts becomes part of its space, in one revision that names both sides', async () => {
  const { id, path } = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  const [space, before] = [await get(`/spaces/${id}`), await get(path)]
  const { status, body } = await post(`${path}/merge`)
  assert.equal(status, 200)
  assert.deepEqual([body.result, Object.keys(body)], ['merge', ['result', 'revision']])
  assert.equal(await textOf(id), readme(['First', 'Better'], ['Third', 'Last'])['README.md'])
  const revision = await get(`/spaces/${id}/revisions/${body.revision}`)
  assert.equal(revision.type, 'merge')
  assert.deepEqual(revision.parents, [space.revision, before.revision])
  assert.equal(revision.mergedFrom.id, before.id)
  const after = await get(path)
  assert.equal(await headOf(id), body.revision)
  assert.deepEqual(
    [after.status, after.revisionMerged, after.mergedBy.id, after.outdated],
    ['merged', body.revision, w.people.admin.id, false],
  )
  assert.ok(before.updatedAt <= after.mergedAt && after.mergedAt <= after.updatedAt)
  assert.equal(await countEvents(id, 'change_request.merged'), 1)
  await assertLiveRows(w.services, id)
})

test('reviewers can merge, editors can only update, and commenters can do neither', async () => {
  const { path } = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  assert.equal((await post(`${path}/merge`, undefined, { as: 'edit' })).status, 403)
  assert.equal((await post(`${path}/update`, undefined, { as: 'comment' })).status, 403)
  assert.equal((await post(`${path}/update`, undefined, { as: 'edit' })).body.result, 'update')
  assert.equal((await post(`${path}/merge`, undefined, { as: 'review' })).body.result, 'merge')
})

test('a token needs the scope of merging, whatever else it may write', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { body: token } = await post('/user/tokens', { label: 'writes', scopes: ['space:write'] })
  assert.equal((await post(`${path}/merge`, undefined, { as: token })).status, 403)
  const rollback = `/spaces/${id}/revisions/${await headOf(id)}/rollback`
  assert.equal((await post(rollback, undefined, { as: token })).status, 403)
  const { body: reading } = await post('/user/tokens', { label: 'reads', scopes: ['space:read'] })
  const asked = await w.call('GET', `${path}/mergeability`, { as: reading })
  assert.deepEqual([asked.body.mergeable, asked.body.permitted], [false, false])
  assert.match(asked.body.reasons[0], /lacks the scope change-request:merge/)
  assert.equal((await post(`${path}/update`, undefined, { as: token })).status, 200)
})

test('an empty change request makes no revision and becomes merged', async () => {
  const { id, path } = await setting(FILES, readme(['Third', 'Last']))
  const head = await headOf(id)
  const { body } = await post(`${path}/merge`)
  assert.deepEqual([body.result, body.revision, await headOf(id)], ['merge', head, head])
  const after = await get(path)
  assert.deepEqual(
    [after.status, after.revisionMerged, after.mergedBy.id],
    ['merged', head, w.people.admin.id],
  )
  assert.equal(await countEvents(id, 'change_request.merged'), 1)
})

test('drafts and open ones are merged; merged and archived ones are refused, and neither is updated', async () => {
  const open = await setting(readme(['First', 'Better']))
  await w.call('PATCH', open.path, { body: { status: 'open' } })
  assert.equal((await post(`${open.path}/merge`)).body.result, 'merge')
  const head = await headOf(open.id)
  for (const verb of ['merge', 'update']) {
    const again = await post(`${open.path}/${verb}`)
    assert.equal(again.status, 409)
    assert.match(again.body.error.message, /was merged/)
  }
  assert.equal(await headOf(open.id), head)

  const archived = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  await w.call('PATCH', archived.path, { body: { status: 'archived' } })
  for (const verb of ['merge', 'update', 'merge?dryRun=true', 'update?dryRun=true']) {
    const refused = await post(`${archived.path}/${verb}`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, /archived. Set its status/)
  }
  await w.call('PATCH', archived.path, { body: { status: 'draft' } })
  assert.equal((await post(`${archived.path}/merge`)).body.result, 'merge')
})

test('a locked space takes merges and rollbacks', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  await w.call('PATCH', `/spaces/${id}`, { body: { editMode: 'locked' } })
  const merged = await post(`${path}/merge`)
  assert.equal(merged.body.result, 'merge')
  const back = await post(`/spaces/${id}/revisions/${merged.body.revision}/rollback`)
  assert.deepEqual([back.body.result, await textOf(id)], ['rollback', README])
})

test('the conflicts of a change request are those that an update would find; a closed one has none', async () => {
  const { id, path } = await conflicting()
  const before = [await headOf(id), await get(path)]
  const { result, revision, ...found } = (await post(`${path}/update?dryRun=true`)).body
  assert.equal(result, 'conflicts', revision)
  const read = await w.call('GET', `${path}/conflicts`, { as: 'read' })
  assert.deepEqual([read.status, read.body], [200, found])
  assert.deepEqual(read.body.sides, { ours: 'change-request', theirs: 'space' })
  assert.deepEqual([await headOf(id), await get(path)], before)
  const clean = await setting(readme(['First', 'Better']))
  assert.deepEqual((await w.call('GET', `${clean.path}/conflicts`)).body, {})
  await w.call('PATCH', path, { body: { status: 'archived' } })
  assert.deepEqual((await w.call('GET', `${path}/conflicts`)).body, {})
})

test('conflicts are answered as data: nothing is written, and both sides are told with what they started from', async () => {
  const { id, path } = await conflicting()
  const [head, before] = [await headOf(id), await get(path)]
  const { status, body } = await post(`${path}/merge`)
  assert.equal(status, 200)
  assert.deepEqual([body.result, body.revision], ['conflicts', before.revision])
  assert.deepEqual(body.sides, { ours: 'space', theirs: 'change-request' })
  assert.deepEqual(body.compared, { base: before.revisionInitial, ours: head, theirs: before.revision })
  const [conflict] = body.conflicts
  assert.equal(body.conflicts.length, 1)
  assert.deepEqual(
    { ...conflict, block: undefined, page: undefined },
    {
      kind: 'block',
      message: 'The space and the change request changed the same lines of the page "Start".',
      about: { id: conflict.page, title: 'Start', path: 'readme' },
      base: 'Second words.',
      ours: 'Published words.',
      theirs: 'Proposed words.',
      block: undefined,
      page: undefined,
    },
  )
  assert.deepEqual([await headOf(id), await get(path)], [head, before])
  assert.equal(await countEvents(id, 'change_request.merged'), 0)
})

test('a conflict is settled by sending it back with what to take, whichever that is', async () => {
  for (const [take, line] of [
    ['ours', 'Published'],
    ['theirs', 'Proposed'],
    ['base', 'Second'],
    [{ markdown: 'Agreed words.' }, 'Agreed'],
  ] as const) {
    const { id, path } = await conflicting()
    const { body: refused } = await post(`${path}/merge`)
    const resolutions = refused.conflicts.map((conflict: object) => ({ ...conflict, take }))
    const { body } = await post(`${path}/merge`, { resolutions, compared: refused.compared })
    assert.equal(body.result, 'merge', JSON.stringify(take))
    assert.equal(await textOf(id), readme(['Second', line])['README.md'])
    assert.equal((await get(path)).status, 'merged')
  }
})

test('as long as one conflict is not settled nothing is written, and only those that are left are told', async () => {
  const { id, path } = await setting(
    { ...readme(['Second', 'Proposed']), 'guide.md': '# Guide\n\nHow they do.\n' },
    { ...readme(['Second', 'Published']), 'guide.md': '# Guide\n\nHow we do.\n' },
  )
  const head = await headOf(id)
  const { body: first } = await post(`${path}/merge`)
  assert.equal(first.conflicts.length, 2)
  const [one, other] = first.conflicts
  const { body: second } = await post(`${path}/merge`, { resolutions: [{ ...one, take: 'ours' }] })
  assert.deepEqual([second.result, second.conflicts], ['conflicts', [other]])
  assert.equal(await headOf(id), head)
})

test('an update takes in what the space has become: ours is the change request', async () => {
  const { id, path } = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  const [head, before] = [await headOf(id), await get(path)]
  assert.equal(before.outdated, true)
  const { body } = await post(`${path}/update`)
  assert.deepEqual([body.result, Object.keys(body)], ['update', ['result', 'revision']])
  const after = await get(path)
  assert.deepEqual(
    [after.revision, after.revisionMergedAncestor, after.outdated, after.status],
    [body.revision, head, false, 'draft'],
  )
  const revision = await get(`/spaces/${id}/revisions/${body.revision}`)
  assert.deepEqual([revision.type, revision.parents], ['update', [before.revision, head]])
  assert.equal(await textAt(`${path}/content`), readme(['First', 'Better'], ['Third', 'Last'])['README.md'])
  assert.equal(await textOf(id), readme(['Third', 'Last'])['README.md'])
  const again = await post(`${path}/update`)
  assert.deepEqual(again.body, { result: 'update', revision: body.revision })
  assert.equal((await get(path)).updatedAt, after.updatedAt)
})

test('after an update a merge starts from what was taken in, so nothing is told twice', async () => {
  const { id, path } = await conflicting()
  const { body: refused } = await post(`${path}/update`)
  assert.deepEqual(refused.sides, { ours: 'change-request', theirs: 'space' })
  const [conflict] = refused.conflicts
  assert.deepEqual([conflict.ours, conflict.theirs], ['Proposed words.', 'Published words.'])
  assert.equal((await get(path)).outdated, true)
  const { body } = await post(`${path}/update`, {
    resolutions: [{ ...conflict, take: { markdown: 'Agreed.' } }],
  })
  assert.equal(body.result, 'update')
  const again = await post(`${path}/update`, { resolutions: [{ ...conflict, take: 'ours' }] })
  assert.deepEqual([again.status, (await get(path)).revision], [400, body.revision])
  assert.match(again.body.error.message, /^body\.resolutions\.0: there is no such conflict/)
  const stale = await post(`${path}/update`, { compared: refused.compared })
  assert.equal(stale.status, 409)
  await publishFiles(w, id, readme(['Second', 'Published'], ['Third', 'Last']))
  assert.equal((await post(`${path}/merge`)).body.result, 'merge')
  assert.equal(await textOf(id), readme(['Second words.', 'Agreed.'], ['Third', 'Last'])['README.md'])
})

test('a dry run answers what would happen and writes nothing, however often', async () => {
  const clean = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  const [head, before] = [await headOf(clean.id), await get(clean.path)]
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual((await post(`${clean.path}/merge?dryRun=true`)).body, {
      result: 'merge',
      revision: head,
    })
    assert.deepEqual((await post(`${clean.path}/update?dryRun=true`)).body, {
      result: 'update',
      revision: before.revision,
    })
    const back = await post(`/spaces/${clean.id}/revisions/${head}/rollback?dryRun=true`)
    assert.deepEqual(back.body, { result: 'rollback', revision: head })
  }
  assert.deepEqual([await headOf(clean.id), await get(clean.path)], [head, before])

  const { path } = await conflicting()
  const [dry, wet] = [await post(`${path}/merge?dryRun=true`), await post(`${path}/merge`)]
  assert.equal(dry.body.result, 'conflicts')
  assert.deepEqual(dry.body, wet.body)
})

test('resolving conflicts of a side that has changed since is a 409', async () => {
  const { id, path } = await conflicting()
  const { body: refused } = await post(`${path}/merge`)
  const resolutions = refused.conflicts.map((conflict: object) => ({ ...conflict, take: 'theirs' }))
  await publishFiles(w, id, readme(['Second words', 'Published anew']))
  const stale = await post(`${path}/merge`, { resolutions, compared: refused.compared })
  assert.equal(stale.status, 409)
  assert.match(stale.body.error.message, /^body\.compared: there were changes since/)
  assert.match(await textOf(id), /Published anew/)
})

test('a resolution that settles nothing is refused by its place, with what to do', async () => {
  const { path } = await conflicting()
  const { body: refused } = await post(`${path}/merge`)
  const [conflict] = refused.conflicts
  const { page, block } = conflict
  const good = { page, block, take: 'ours' }
  for (const [resolutions, message] of [
    [[good, { page, field: 'title', take: 'ours' }], /^body\.resolutions\.1: there is no such conflict/],
    [[{ page: 'nowhere', block, take: 'ours' }], /^body\.resolutions\.0: there is no such conflict/],
    [[good, good], /^body\.resolutions\.1: body\.resolutions\.0 settles the same/],
    [[{ take: 'ours' }], /^body\.resolutions\.0: name exactly one of page, file/],
    [[{ ...good, variable: 'x' }], /^body\.resolutions\.0: name exactly one of page, file/],
    [[{ ...good, field: 'title' }], /^body\.resolutions\.0: name a field or a block, not both/],
    [[{ ...good, take: 'mine' }], /^body\.resolutions\.0\.take: must be one of ours, theirs, base/],
    [[{ ...good, take: { value: 'x' } }], /^body\.resolutions\.0\.take: a block has no value; .* markdown/],
    [
      [{ ...good, take: { markdown: 'a\0b' } }],
      /^body\.resolutions\.0\.take\.markdown: it has half a character/,
    ],
    [[{ page, field: 'title', take: { value: '' } }], /^body\.resolutions\.0\.take\.value: must be one line/],
    [[{ page, field: 'slug', take: { value: 'A b' } }], /take\.value: must be a slug, like "a-b"/],
    [[{ page, field: 'type', take: { value: 'group' } }], /take\.value: no value can be given for this/],
    [Array(RESOLUTIONS_MAX + 1).fill(good), /^body\.resolutions/],
  ] as const) {
    const { status, body } = await post(`${path}/merge`, { resolutions })
    assert.equal(status, 400, JSON.stringify(resolutions).slice(0, 200))
    assert.match(body.error.message, message)
  }
  assert.equal((await get(path)).status, 'draft')
})

test('a page that one side deleted and the other changed is told by what people call it, and either side can be taken', async () => {
  for (const [take, isThere] of [
    ['ours', false],
    ['theirs', true],
  ] as const) {
    const { id, path } = await setting(
      { ...FILES, 'guide.md': '# Guide\n\nBetter.\n' },
      { 'README.md': README },
    )
    const { body: refused } = await post(`${path}/merge`)
    const [{ kind, field, message, about, ours, theirs, page }] = refused.conflicts
    assert.deepEqual([kind, field, ours], ['deleted', 'existence', null])
    assert.equal(message, 'The space deleted the page "Guide", and the change request changed it.')
    assert.deepEqual(
      [theirs.title, theirs.slug, about],
      ['Guide', 'guide', { id: page, title: 'Guide', path: 'guide' }],
    )
    const text = await get(`/spaces/${id}/documents/${theirs.documentId}`)
    assert.match(JSON.stringify(text), /Better/)
    const { body } = await post(`${path}/merge`, { resolutions: [{ page, field, take }] })
    assert.equal(body.result, 'merge')
    assert.equal((await w.call('GET', `/spaces/${id}/content/path/guide`)).status, isThere ? 200 : 404)
    await assertLiveRows(w.services, id)
  }
})

test('two pages of one title that both sides made both stay: the later one gets a number, and links keep leading to their own', async () => {
  const { id, path } = await setting(
    { ...readme(['First words', 'See [setup](setup.md#theirs)']), 'setup.md': '# Setup\n\n## Theirs\n' },
    { ...readme(['Third words', 'See [setup](setup.md#ours)']), 'setup.md': '# Setup\n\n## Ours\n' },
  )
  assert.equal((await post(`${path}/merge`)).body.result, 'merge')
  const both = [
    await get(`/spaces/${id}/content/path/setup`),
    await get(`/spaces/${id}/content/path/setup-1`),
  ]
  const ours = both.find(({ markdown }) => markdown.includes('Ours'))
  const theirs = both.find(({ markdown }) => markdown.includes('Theirs'))
  assert.deepEqual([ours.title, theirs.title], ['Setup', 'Setup'])
  assert.notEqual(ours.git?.path, theirs.git?.path)
  const page = await get(`/spaces/${id}/content/path/readme`)
  const links = await get(`/spaces/${id}/content/page/${page.id}/links`)
  assert.deepEqual(
    links.items.map(({ status, targetReference }: LinkItem) => [
      status,
      targetReference.internalLocation?.anchor,
      targetReference.page?.id,
    ]),
    [
      ['ok', 'theirs', theirs.id],
      ['ok', 'ours', ours.id],
    ],
  )
})

for (const verb of ['merge', 'update'] as const) {
  test(`a paragraph that one replaced and the other edited is told whole, and each side can be taken: ${verb}`, async () => {
    const base = 'The server listens on one port for all of its visitors.'
    const [replaced, edited] = [
      'Nothing of that is left.\n\nIt is said in two.',
      `${base.slice(0, -1)} here.`,
    ]
    const page = (text: string): Files => ({ ...FILES, 'README.md': `# Start\n\n${text}\n\nThe end.\n` })
    for (const take of ['ours', 'theirs', 'base', { markdown: 'Said by both.' }] as const) {
      const id = await spaceWith(w, page(base))
      const { body: opened } = await w.call('POST', `/spaces/${id}/change-requests`)
      await proposeFiles(w, opened.id, page(edited))
      await publishFiles(w, id, page(replaced))
      const path = `/spaces/${id}/change-requests/${opened.id}`
      const { body } = await post(`${path}/${verb}`)
      const told = verb === 'merge' ? { ours: replaced, theirs: edited } : { ours: edited, theirs: replaced }
      const [conflict, ...more] = body.conflicts
      assert.deepEqual(more, [])
      assert.deepEqual(
        { base: conflict.base, ours: conflict.ours, theirs: conflict.theirs },
        { base, ...told },
      )
      const { body: settled } = await post(`${path}/${verb}`, { resolutions: [{ ...conflict, take }] })
      assert.equal(settled.result, verb)
      const text = typeof take === 'object' ? take.markdown : take === 'base' ? base : told[take]
      const content = verb === 'merge' ? `/spaces/${id}/content` : `${path}/content`
      assert.equal(await textAt(content), page(text)['README.md'])
    }
  })
}

test('what both wrote alike at one place is a conflict of two texts without a base, settled by its address', async () => {
  const page = (...texts: string[]): Files => ({
    ...FILES,
    'README.md': `# Start\n\nFirst words.\n${texts.map(text => `\n${text}\n`).join('')}`,
  })
  const id = await spaceWith(w, page())
  const { body: opened } = await w.call('POST', `/spaces/${id}/change-requests`)
  await proposeFiles(w, opened.id, page('The new port is 4000.'))
  await publishFiles(w, id, page('The new port is 5000.'))
  const path = `/spaces/${id}/change-requests/${opened.id}/merge`
  const [conflict] = (await post(path)).body.conflicts
  assert.deepEqual(
    [conflict.base, conflict.ours, conflict.theirs],
    [null, 'The new port is 5000.', 'The new port is 4000.'],
  )
  assert.match(conflict.message, /wrote nearly the same at one place of the page/)
  const { body } = await post(path, {
    resolutions: [{ page: conflict.page, block: conflict.block, take: 'theirs' }],
  })
  assert.equal(body.result, 'merge')
  assert.equal(await textOf(id), page('The new port is 4000.')['README.md'])
})

test('a rollback undoes what one revision did and keeps what came after it', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { body: merged } = await post(`${path}/merge`)
  await publishFiles(w, id, readme(['First', 'Better'], ['Third', 'Last']))
  const head = await headOf(id)
  const { status, body } = await post(`/spaces/${id}/revisions/${merged.revision}/rollback`, undefined, {
    as: 'review',
  })
  assert.deepEqual([status, body.result, Object.keys(body)], [200, 'rollback', ['result', 'revision']])
  assert.equal(await textOf(id), readme(['Third', 'Last'])['README.md'])
  const revision = await get(`/spaces/${id}/revisions/${body.revision}`)
  assert.deepEqual([revision.type, revision.parents], ['rollback', [head]])
  const after = await get(path)
  assert.deepEqual([after.status, after.revisionMerged], ['merged', merged.revision])
  assert.equal(await countEvents(id, 'space.rolled_back'), 1)
  const again = await post(`/spaces/${id}/revisions/${merged.revision}/rollback`)
  assert.deepEqual(again.body, { result: 'rollback', revision: body.revision })
  const back = await post(`/spaces/${id}/revisions/${body.revision}/rollback`)
  assert.equal(back.body.result, 'rollback')
  assert.equal(await textOf(id), readme(['First', 'Better'], ['Third', 'Last'])['README.md'])
  await assertLiveRows(w.services, id)
})

test('a rollback that meets later changes answers conflicts, and is carried out once they are settled', async () => {
  const { id, path } = await setting(readme(['Second', 'Better']))
  const { body: merged } = await post(`${path}/merge`)
  await publishFiles(w, id, readme(['Second', 'Best']))
  const head = await headOf(id)
  const rollback = `/spaces/${id}/revisions/${merged.revision}/rollback`
  const { body: refused } = await post(rollback)
  assert.deepEqual([refused.result, refused.revision, await headOf(id)], ['conflicts', head, head])
  assert.deepEqual(refused.sides, { ours: 'space', theirs: 'previous' })
  const [{ base, ours, theirs, message }] = refused.conflicts
  assert.deepEqual([base, ours, theirs], ['Better words.', 'Best words.', 'Second words.'])
  assert.match(message, /^The space and the state before changed/)
  const { body } = await post(rollback, {
    resolutions: refused.conflicts.map((conflict: object) => ({ ...conflict, take: 'theirs' })),
  })
  assert.deepEqual([body.result, await textOf(id)], ['rollback', README])
})

test('only what became part of the space is rolled back, and not the first revision', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { revision } = await get(path)
  const { items } = await get(`/spaces/${id}/revisions`)
  for (const [of, message] of [
    [revision, /belongs to a change request/],
    [items.at(-1).id, /first revision of the space/],
  ]) {
    const { status, body } = await post(`/spaces/${id}/revisions/${of}/rollback`)
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  }
  await w.services.db
    .updateTable('revisions')
    .set({ is_standalone: true })
    .where('id', '=', items[0].id)
    .execute()
  const standalone = await post(`/spaces/${id}/revisions/${items[0].id}/rollback`)
  assert.equal(standalone.status, 400)
  assert.match(standalone.body.error.message, /not part of the history/)
  assert.equal((await post(`/spaces/${id}/revisions/nowhere/rollback`)).status, 404)
  assert.equal(
    (await post(`/spaces/${id}/revisions/${items[0].id}/rollback`, undefined, { as: 'edit' })).status,
    403,
  )
})

test('undoing a revision is proposed as a change request, which keeps what came after it and meets conflicts', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { body: merged } = await post(`${path}/merge`)
  await publishFiles(w, id, readme(['First', 'Better'], ['Third', 'Last']))
  const propose = `/spaces/${id}/revisions/${merged.revision}/propose-rollback`
  const { status, body } = await post(propose, { subject: 'Undo it' }, { as: 'edit' })
  assert.deepEqual([status, body.subject, body.status, body.outdated], [201, 'Undo it', 'draft', true])
  assert.equal(body.createdBy.id, w.people.edit.id)
  const { changes } = await get(`/spaces/${id}/change-requests/${body.id}/changes`)
  const [{ attributes }] = changes
  assert.deepEqual(
    [
      changes.length,
      attributes.document.blocks[0].before.markdown,
      attributes.document.blocks[0].after.markdown,
    ],
    [1, 'Better words.', 'First words.'],
  )
  assert.equal((await post(`/spaces/${id}/change-requests/${body.id}/merge`)).body.result, 'merge')
  assert.equal(await textOf(id), readme(['Third', 'Last'])['README.md'])

  await publishFiles(w, id, readme(['First', 'Best']))
  const again = await post(`/spaces/${id}/revisions/${await headOf(id)}/propose-rollback`)
  await publishFiles(w, id, readme(['First', 'Worse']))
  const refused = await post(`/spaces/${id}/change-requests/${again.body.id}/merge`)
  assert.equal(refused.body.result, 'conflicts')
})

test('undoing is not proposed by who may not edit, nor of the first revision', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { body: merged } = await post(`${path}/merge`)
  const propose = (revision: string, as: 'comment' | 'edit') =>
    post(`/spaces/${id}/revisions/${revision}/propose-rollback`, undefined, { as })
  assert.equal((await propose(merged.revision, 'comment')).status, 403)
  const { items } = await get(`/spaces/${id}/revisions`)
  const first = await propose(items.at(-1).id, 'edit')
  assert.equal(first.status, 400)
  assert.match(first.body.error.message, /first revision/)
  assert.equal((await propose('nowhere', 'edit')).status, 404)
})

test('what was proposed again after a rollback is merged again', async () => {
  const { id, path } = await setting(readme(['First', 'Better']))
  const { body: merged } = await post(`${path}/merge`)
  await post(`/spaces/${id}/revisions/${merged.revision}/rollback`)
  assert.equal(await textOf(id), README)
  const again = await changeRequestWith(w, id, readme(['First', 'Better']))
  assert.equal((await post(`/spaces/${id}/change-requests/${again.id}/merge`)).body.result, 'merge')
  assert.equal(await textOf(id), readme(['First', 'Better'])['README.md'])
})

test('mergeability says beforehand what prevents a merge, and writes nothing', async () => {
  const clean = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  const before = await get(clean.path)
  assert.deepEqual(await get(`${clean.path}/mergeability`), {
    mergeable: true,
    reasons: [],
    obstacles: [],
    outdated: true,
    permitted: true,
    bypass: false,
    rules: [],
    conflictCount: 0,
    publishes: [],
  })
  const reader = await w.call('GET', `${clean.path}/mergeability`, { as: 'read' })
  assert.deepEqual([reader.body.mergeable, reader.body.permitted], [false, false])
  const [reason] = reader.body.reasons
  assert.match(reason, /needs the role review/)
  const values = { role: 'read', needed: 'review' }
  assert.deepEqual(reader.body.obstacles, [{ reason: 'role_too_weak', message: reason, values }])
  const { body: kept } = await w.call('POST', `${clean.path}/merge`, { as: 'read' })
  assert.deepEqual([kept.error.reason, kept.error.values], ['role_too_weak', values])
  assert.deepEqual(await get(clean.path), before)

  const { path } = await conflicting()
  const asked = await get(`${path}/mergeability`)
  const { body: refused } = await post(`${path}/merge`)
  assert.deepEqual(
    [asked.mergeable, asked.conflictCount, asked.conflicts, asked.compared, asked.sides],
    [false, 1, refused.conflicts, refused.compared, refused.sides],
  )
  assert.match(asked.reasons[0], /has a conflict/)
  assert.deepEqual([asked.obstacles[0].reason, asked.obstacles[0].values], ['conflicts_open', { count: 1 }])
  await w.call('PATCH', path, { body: { status: 'archived' } })
  const archived = await get(`${path}/mergeability`)
  assert.deepEqual([archived.mergeable, archived.conflictCount], [false, 0])
  assert.match(archived.reasons[0], /archived/)
  const { body: closed } = await post(`${path}/merge`)
  assert.deepEqual(
    [archived.obstacles[0].reason, closed.error.reason],
    Array(2).fill('change_request_archived'),
  )
})

test('If-Match names the head that moves: another is 412, and nothing is written', async () => {
  const { id, path } = await setting(readme(['First', 'Better']), readme(['Third', 'Last']))
  const [head, proposed] = [await headOf(id), (await get(path)).revision]
  const ifMatch = (revision: string): Call => ({ headers: { 'if-match': `"${revision}"` } })
  for (const [verb, wrong] of [
    ['update', head],
    ['merge', proposed],
  ] as const) {
    const { status, body } = await post(`${path}/${verb}`, undefined, ifMatch(wrong))
    assert.equal(status, 412, verb)
    assert.match(body.error.message, /If-Match/)
  }
  assert.deepEqual([await headOf(id), (await get(path)).revision], [head, proposed])
  assert.equal((await post(`${path}/update`, undefined, ifMatch(proposed))).status, 200)
  const { status, body } = await post(`${path}/merge`, undefined, ifMatch(head))
  assert.equal(status, 200)
  const rollback = `/spaces/${id}/revisions/${body.revision}/rollback`
  assert.equal((await post(rollback, undefined, ifMatch(head))).status, 412)
  assert.equal((await post(rollback, undefined, ifMatch(body.revision))).status, 200)
})
