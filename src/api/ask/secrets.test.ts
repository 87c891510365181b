// A secret sentence, asked for by every operation, right after access to it is removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelAt, modelServer, operationsOver } from '../../../test/support/model-server.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { type World, world, worldOn } from '../../../test/support/world.ts'

const QUESTION = 'When is the merger with Quokka announced?'
const SECRET = 'The merger with Quokka is announced on the ninth of November'
const PAGES = {
  'SUMMARY.md': '* [Plans](plans.md)\n',
  'plans.md': [
    '# Plans',
    '',
    '## Announcement',
    '',
    `${SECRET}. Nobody outside of the board is told about it before that day.`,
    '',
    '## Which Quokka offices stay open?',
    '',
    'The Quokka offices in Perth and Albany stay open after the merger, all others are closed within a year.',
    '',
  ].join('\n'),
}
const TOLD = /ninth of November|Perth|Which Quokka/

type Space = { readonly w: World; readonly id: string; readonly team: string }
type Way = {
  readonly give?: (space: Space) => Promise<unknown>
  readonly take: (space: Space) => Promise<unknown>
}

const permission = ({ w, id }: Space) => `/spaces/${id}/permissions/users/${w.people.edit.id}`

/** The ways to lose access to a space. */
const WAYS: Readonly<Record<string, Way>> = {
  'their permission is taken back': {
    give: space => space.w.call('PATCH', permission(space), { body: { role: 'read' } }),
    take: space => space.w.call('DELETE', permission(space)),
  },
  'their team loses its permission': {
    give: ({ w, id, team }) =>
      w.call('PATCH', `/spaces/${id}/permissions/teams/${team}`, { body: { role: 'read' } }),
    take: ({ w, id, team }) => w.call('DELETE', `/spaces/${id}/permissions/teams/${team}`),
  },
  'they leave their team': {
    give: ({ w, id, team }) =>
      w.call('PATCH', `/spaces/${id}/permissions/teams/${team}`, { body: { role: 'read' } }),
    take: ({ w, team }) =>
      w.call('DELETE', `/orgs/${w.organizationId}/teams/${team}/members/${w.people.edit.id}`),
  },
  'the space is closed to the organization': {
    give: ({ w, id }) => w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: 'read' } }),
    take: ({ w, id }) => w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } }),
  },
  'the space is deleted': {
    give: space => space.w.call('PATCH', permission(space), { body: { role: 'read' } }),
    take: ({ w, id }) => w.call('DELETE', `/spaces/${id}`),
  },
  'the page is not to be found any more': {
    give: space => space.w.call('PATCH', permission(space), { body: { role: 'read' } }),
    take: ({ w, id }) =>
      publishFiles(w, id, { ...PAGES, 'plans.md': `---\nnoIndex: true\n---\n\n${PAGES['plans.md']}` }),
  },
  'the page is deleted': {
    give: space => space.w.call('PATCH', permission(space), { body: { role: 'read' } }),
    take: ({ w, id }) =>
      publishFiles(w, id, { 'SUMMARY.md': '* [Other](other.md)\n', 'other.md': '# Other\n' }),
  },
}

for (const [where, settings] of [
  ['an index in memory', undefined],
  ['the database', { OCTAVO_SEARCH_MEMORY: '0', OCTAVO_SEARCH_AWAITED_PAGES: '0' }],
] as const) {
  const w = await (settings === undefined ? world() : worldOn(await serverBeside(settings)))
  const org = `/orgs/${w.organizationId}`
  const model = await modelServer()
  const services = { ...w.services, model: modelAt(model.baseUrl, w.services, {}) }
  const withModel = operationsOver(services, /Ask/i)
  // Something else that may be told, so that the model is asked.
  await spaceWith(w, { 'offices.md': '# Offices\n\nA merger with Quokka is announced by mail.\n' })

  /** What is said through every door, and what the model is sent. */
  const everyDoor = async (): Promise<string[]> => {
    const { token } = w.people.edit
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const streamed = `/ask/stream?details=true&query=${encodeURIComponent(QUESTION)}`
    const replies = await Promise.all([
      w.call('POST', `${org}/ask?details=true`, { as: 'edit', body: { query: QUESTION } }),
      w.call('POST', `${org}/ask?format=document`, { as: 'edit', body: { query: QUESTION } }),
      w.call('POST', `${org}/ask`, {
        as: 'edit',
        body: { query: QUESTION },
        headers: { 'idempotency-key': QUESTION },
      }),
      w.call('POST', `${org}/ask`, { as: 'edit', body: { query: 'when?', previousQueries: [QUESTION] } }),
      w.call('GET', `${org}${streamed}`, { as: 'edit' }),
      w.call('GET', `${org}/ask/questions`, { as: 'edit' }),
      w.call('GET', `${org}/ask/questions/stream`, { as: 'edit' }),
    ])
    const before = model.asked.length
    model.say({ pieces: [`${SECRET} [1]. The Quokka offices in Perth and Albany stay open [1].`] })
    const written = await Promise.all([
      withModel.inject({
        ...{ method: 'POST', url: `/v1${org}/ask?details=true`, headers },
        payload: JSON.stringify({ query: QUESTION }),
      }),
      withModel.inject({ method: 'GET', url: `/v1${org}${streamed}`, headers }),
    ])
    assert.ok(model.asked.length > before, 'the model was asked')
    return [
      ...replies.map(({ text }) => text),
      ...written.map(({ payload }) => payload),
      ...model.asked.slice(before).map(({ body }) => body),
    ]
  }

  for (const [way, { give, take }] of Object.entries(WAYS))
    test(`from ${where}, no secret is revealed once ${way}`, async () => {
      const { body: team } = await w.call('PUT', `${org}/teams`, {
        body: { title: way, members: [w.people.edit.id] },
      })
      const space: Space = { w, id: await spaceWith(w, PAGES), team: team.id }
      await w.call('PATCH', `/spaces/${space.id}`, { body: { defaultLevel: null } })
      await give?.(space)
      for (const text of await everyDoor()) assert.match(text, TOLD)
      await take(space)
      for (const text of await everyDoor()) assert.doesNotMatch(text, TOLD)
    })
}
