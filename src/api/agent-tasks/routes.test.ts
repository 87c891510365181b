import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { allRead, conversation } from '../../../test/support/conversations.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`

async function newTask(body: object = {}) {
  const space = await w.createSpace()
  const made = await w.call('POST', `/spaces/${space.id}/agent-tasks`, { body: { title: 'Write', ...body } })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers.location, made.body.urls.location)
  return made.body
}

const statusOf = async (id: string) => (await w.call('GET', `${org}/agent-tasks/${id}`)).body.status

async function newCluster(): Promise<string> {
  const why = 'Why does the printer print empty pages from its second tray?'
  await w.call('POST', `${org}/conversations`, { body: [conversation('1', why), conversation('2', why)] })
  await allRead(w)
  const { body } = await w.call('GET', `${org}/conversations-clusters`)
  return body.items[0].id
}

test('a change request opened for a task belongs to its cluster, and changes the status of the task', async () => {
  const cluster = await newCluster()
  const task = await newTask({ cluster, description: 'Explain trays.' })
  assert.deepEqual([task.status, task.cluster, task.changeRequest], ['backlog', cluster, undefined])
  const requests = `/spaces/${task.space}/change-requests`
  const opened = await w.call('POST', requests, { body: { agentTaskId: task.id } })
  assert.equal(opened.status, 201, opened.text)
  assert.equal(opened.body.conversationsIssuesCluster, cluster)
  const { body: list } = await w.call('GET', `${requests}?status=all&conversationsIssuesCluster=${cluster}`)
  assert.equal(list.count, 1)
  const { body: started } = await w.call('GET', `${org}/agent-tasks/${task.id}`)
  assert.deepEqual([started.status, started.changeRequest], ['started', opened.body.id])
  assert.match(started.urls.app, /\/w\/s\/[^/]+\/c\/1$/)
  const c = `${requests}/${opened.body.id}`
  for (const [status, becomes] of [
    ['archived', 'backlog'],
    ['open', 'started'],
  ]) {
    assert.equal((await w.call('PATCH', c, { body: { status } })).status, 200)
    assert.equal(await statusOf(task.id), becomes, status)
  }
  const { body: before } = await w.call('GET', `${org}/conversations-clusters/${cluster}`)
  assert.deepEqual([before.stats.tasksTotal, before.stats.tasksStarted], [1, 1])
  assert.equal((await w.call('POST', `${c}/merge`)).status, 200)
  assert.equal(await statusOf(task.id), 'completed')
  const { body: after } = await w.call('GET', `${org}/conversations-clusters/${cluster}`)
  assert.deepEqual([after.stats.tasksStarted, after.stats.tasksCompleted], [0, 1])
  const late = await w.call('PATCH', `${org}/agent-tasks/${task.id}`, { body: { status: 'backlog' } })
  assert.equal(late.status, 409)
})

test('a task has one change request at a time, of its own space', async () => {
  const task = await newTask()
  const requests = `/spaces/${task.space}/change-requests`
  const open = (path: string, agentTaskId: string) => w.call('POST', path, { body: { agentTaskId } })
  const first = await open(requests, task.id)
  assert.equal((await open(requests, task.id)).status, 409)
  await w.call('PATCH', `${requests}/${first.body.id}`, { body: { status: 'archived' } })
  const second = await open(requests, task.id)
  assert.equal(second.status, 201)
  await w.call('PATCH', `${requests}/${first.body.id}`, { body: { status: 'open' } })
  const { body } = await w.call('GET', `${org}/agent-tasks/${task.id}`)
  assert.equal(body.changeRequest, second.body.id, 'the one before does not take it back')
  const other = await w.createSpace()
  assert.equal((await open(`/spaces/${other.id}/change-requests`, task.id)).status, 404)
  assert.equal((await open(requests, 'nothing')).status, 404)
})

test('whether a task is taken is up to its change request, whatever status people give the task', async () => {
  const task = await newTask()
  const requests = `/spaces/${task.space}/change-requests`
  const open = () => w.call('POST', requests, { body: { agentTaskId: task.id } })
  const set = async (status: string) =>
    assert.equal((await w.call('PATCH', `${org}/agent-tasks/${task.id}`, { body: { status } })).status, 200)
  const { body: first } = await open()
  for (const status of ['backlog', 'canceled', 'started']) {
    await set(status)
    assert.equal((await open()).status, 409, status)
  }
  await w.call('PATCH', `${requests}/${first.id}`, { body: { status: 'archived' } })
  await set('started')
  assert.equal((await open()).status, 201)
})

test('a canceled task stays canceled, whatever its change request does', async () => {
  const task = await newTask()
  const requests = `/spaces/${task.space}/change-requests`
  const { body: opened } = await w.call('POST', requests, { body: { agentTaskId: task.id } })
  await w.call('PATCH', `${org}/agent-tasks/${task.id}`, { body: { status: 'canceled' } })
  await w.call('PATCH', `${requests}/${opened.id}`, { body: { status: 'open' } })
  await w.call('PATCH', `${requests}/${opened.id}`, { body: { status: 'archived' } })
  assert.equal(await statusOf(task.id), 'canceled')
  const refused = await w.call('PATCH', `${org}/agent-tasks/${task.id}`, { body: { status: 'completed' } })
  assert.equal(refused.status, 400)
})

test('only members of a space see its tasks, also in the counts of a cluster', async () => {
  const cluster = await newCluster()
  const hidden = await w.createSpace({ title: 'Hidden' })
  await w.call('PATCH', `/spaces/${hidden.id}`, { body: { defaultLevel: null } })
  const { body: task } = await w.call('POST', `/spaces/${hidden.id}/agent-tasks`, {
    body: { title: 'Secret', cluster },
  })
  const seen = async (as: 'admin' | 'edit') => ({
    task: (await w.call('GET', `${org}/agent-tasks/${task.id}`, { as })).status,
    list: (await w.call('GET', `${org}/agent-tasks?space=${hidden.id}`, { as })).body.count,
    cluster: (await w.call('GET', `${org}/conversations-clusters/${cluster}`, { as })).body.stats
      .tasksBacklog,
  })
  assert.deepEqual(await seen('admin'), { task: 200, list: 1, cluster: 1 })
  assert.deepEqual(await seen('edit'), { task: 404, list: 0, cluster: 0 })
})

test('the cluster of tasks and change requests is named to those who may see clusters, and to nobody else', async () => {
  const cluster = await newCluster()
  const task = await newTask({ cluster })
  const space = `/spaces/${task.space}`
  const open = async () => {
    const made = await w.call('POST', `${space}/change-requests`, { body: { agentTaskId: task.id } })
    assert.equal(made.status, 201, made.text)
    return `${space}/change-requests/${made.body.id}`
  }
  const merged = await open()
  assert.equal((await w.call('PATCH', merged, { body: { status: 'open' } })).status, 200)
  await proposeFiles(w, merged.split('/').at(-1) ?? '', { 'README.md': '# Trays\n' })
  assert.equal((await w.call('POST', `${merged}/merge`)).status, 200)
  const token = async (scopes: readonly string[]) => {
    const made = await w.call('POST', '/user/tokens', { body: { label: 'reads', scopes } })
    assert.equal(made.status, 201, made.text)
    return { token: made.body.token }
  }
  const reading = ['organization:read', 'space:read']
  const { body: head } = await w.call('GET', `${space}/content`)
  const paths = [
    `${space}/change-requests?status=all`,
    `${org}/change-requests?status=all`,
    merged,
    `${org}/agent-tasks?space=${task.space}`,
    `${org}/agent-tasks/${task.id}`,
    `${space}/content`,
    `${space}/revisions/${head.id}/changes`,
    `${space}/revisions`,
  ]
  const namesIt = async (path: string, as: 'read' | 'edit' | { readonly token: string }) => {
    const answer = await w.call('GET', path, { as })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.text.includes(cluster)
  }
  const few = await token(reading)
  const all = await token([...reading, 'organization:conversations:read'])
  for (const path of paths) {
    assert.equal(await namesIt(path, 'edit'), true, path)
    assert.equal(await namesIt(path, all), true, path)
    assert.equal(await namesIt(path, 'read'), false, path)
    assert.equal(await namesIt(path, few), false, path)
  }
})

test('tasks are listed by cluster, space and status, and errors name the field', async () => {
  const one = await newTask()
  await w.call('PATCH', `${org}/agent-tasks/${one.id}`, { body: { status: 'canceled' } })
  const list = async (query: string) => (await w.call('GET', `${org}/agent-tasks?${query}`)).body
  assert.equal((await list(`space=${one.space}`)).count, 1)
  assert.equal((await list(`space=${one.space}&status=canceled&status=started`)).count, 1)
  assert.equal((await list(`space=${one.space}&status=backlog`)).count, 0)
  assert.equal((await list('cluster=none')).count, 0)
  assert.equal((await w.call('GET', `${org}/agent-tasks?status=lost`)).status, 400)
  const make = (body: object) => w.call('POST', `/spaces/${one.space}/agent-tasks`, { body })
  for (const body of [
    {},
    { title: '' },
    { title: 'x', cluster: 'none' },
    { title: 'x', instructions: { object: 'no' } },
  ])
    assert.equal((await make(body)).status, 400, JSON.stringify(body))
  const nodes = [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x'.repeat(70_000), marks: [] }] }],
    },
  ]
  const long = { object: 'document', data: {}, nodes }
  assert.equal((await make({ title: 'x', instructions: long })).status, 413)
})

test('a space that moves to another organization loses its clusters', async () => {
  const cluster = await newCluster()
  const task = await newTask({ cluster })
  const { body: opened } = await w.call('POST', `/spaces/${task.space}/change-requests`, {
    body: { agentTaskId: task.id },
  })
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Elsewhere' } })
  const moved = await w.call('POST', `/spaces/${task.space}/transfer`, { body: { organization: other.id } })
  assert.equal(moved.status, 200, moved.text)
  const { body } = await w.call('GET', `/orgs/${other.id}/agent-tasks/${task.id}`)
  assert.deepEqual([body.status, body.cluster], ['started', undefined])
  const { body: request } = await w.call('GET', `/spaces/${task.space}/change-requests/${opened.id}`)
  assert.equal(request.conversationsIssuesCluster, undefined)
  assert.equal((await w.call('GET', `${org}/agent-tasks/${task.id}`)).status, 404)
})
