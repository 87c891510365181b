// What an operator sees of a server that works: each count is of something that just happened.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { originOf, serverWith } from '../../test/support/server.ts'
import { Tab } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'
import { hubOf } from '../api/live/hub.ts'
import { WRITE_NOTIFICATIONS } from '../api/notifications/writing.ts'
import { Tally } from '../base/tallies.ts'
import { renderMetric, tallied } from './metric-text.ts'

const TOKEN = 'a-token-for-metrics'
const w = await world({ OCTAVO_METRICS_TOKEN: TOKEN })

const scrape = async (app = w.app): Promise<string> => {
  const { statusCode, body } = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  assert.equal(statusCode, 200)
  return body
}

/** The value of a sample, written as in the text; 0 if there is none yet. */
const sampleIn = (text: string, sample: string): number => {
  const line = text.split('\n').find(one => one.startsWith(`${sample} `))
  return line === undefined ? 0 : Number(line.slice(sample.length + 1))
}

/** By how much each sample grows while `run` runs. */
async function growth(samples: readonly string[], run: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape()
  await run()
  const after = await scrape()
  return samples.map(sample => sampleIn(after, sample) - sampleIn(before, sample))
}

test('requests are counted by the pattern of their route, and all unknown addresses as one', async () => {
  const space = await w.createSpace()
  const found = 'octavo_http_requests_total{route="/v1/spaces/:spaceId",method="GET",status="200"}'
  const took = 'octavo_http_request_duration_seconds_count{route="/v1/spaces/:spaceId"}'
  const none = 'octavo_http_requests_total{route="none",method="GET",status="404"}'
  const grown = await growth([found, took, none], async () => {
    for (const _ of [1, 2]) assert.equal((await w.call('GET', `/spaces/${space.id}`)).status, 200)
    for (const url of ['/v1/one/two', '/v1/three/four', '/v1/five?secret=six'])
      assert.equal((await w.app.inject(url)).statusCode, 404)
  })
  assert.deepEqual(grown, [2, 2, 3])
  const text = await scrape()
  for (const word of [space.id, 'three', 'secret']) assert.ok(!text.includes(word), word)
})

test('two servers of one process count for themselves', async () => {
  const other = serverWith(w, {})
  await w.call('GET', '/user')
  assert.ok(
    sampleIn(await scrape(), 'octavo_http_requests_total{route="/v1/user",method="GET",status="200"}') > 0,
  )
  assert.doesNotMatch(await scrape(other), /route="\/v1\/user"/)
  await other.close()
})

test('statements are counted with their time, and failed ones by kind', async () => {
  const [asked = 0, broken] = await growth(
    [
      'octavo_database_statement_duration_seconds_count',
      'octavo_database_statement_failures_total{kind="constraint"}',
    ],
    async () => {
      const { id } = w.people.admin
      const again = w.services.db
        .insertInto('users')
        .values({ id, email: 'x@people.test', display_name: 'x' })
      await assert.rejects(again.execute(), { code: 'duplicate' })
      await w.createSpace()
    },
  )
  assert.ok(asked > 2)
  assert.equal(broken, 1)
  assert.match(await scrape(), /^octavo_database_connections\{state="used"\} \d+$/m)
})

test('jobs are counted by kind and outcome, and what waits is told', async () => {
  const { db, jobs, transaction } = w.services
  const done = 'octavo_jobs_total{kind="notifications.write",outcome="done"}'
  const before = sampleIn(await scrape(), done)
  await transaction(trx => jobs.enqueue(trx, WRITE_NOTIFICATIONS, { organization: w.organizationId }))
  while (sampleIn(await scrape(), done) === before) await new Promise(resolve => setTimeout(resolve, 20))
  // Of a kind that nobody here runs.
  await transaction(trx => jobs.enqueue(trx, { name: 'nobody.runs' }, {}))
  await db
    .updateTable('jobs')
    .set({ run_at: new Date(0) })
    .where('name', '=', 'nobody.runs')
    .execute()
  let text = await scrape()
  // What earlier tests began may still wait for its turn.
  while (sampleIn(text, 'octavo_jobs_waiting') > 1) text = await scrape()
  assert.equal(sampleIn(text, 'octavo_jobs_waiting'), 1)
  assert.ok(sampleIn(text, 'octavo_jobs_oldest_waiting_seconds') > 1_000_000)
  await db.deleteFrom('jobs').where('name', '=', 'nobody.runs').execute()
})

test('deliveries that wait are told with the age of the oldest, without those of paused webhooks', async () => {
  const { db } = w.services
  const waiting = 'octavo_webhook_deliveries_waiting'
  const oldest = 'octavo_webhook_deliveries_oldest_waiting_seconds'
  // Those of other files wait too.
  await db.deleteFrom('webhook_deliveries').where('status', '=', 'waiting').execute()
  const text = await scrape()
  assert.deepEqual([sampleIn(text, waiting), sampleIn(text, oldest)], [0, 0])
  const { body: hook } = await w.call('POST', `/orgs/${w.organizationId}/webhooks`, {
    body: { url: 'https://receiver.test/hook', types: ['space.created'] },
  })
  const later = new Date(Date.now() + 3_600_000)
  const deliveries = ['one', 'two'].map(event_id => ({
    ...{ webhook_id: hook.id, event_id, type: 'space.created', status: 'waiting' as const },
    ...{ created_at: new Date(Date.now() - 7_200_000), due_at: later, expires_at: later },
  }))
  await db.insertInto('webhook_deliveries').values(deliveries).execute()
  const late = await scrape()
  assert.equal(sampleIn(late, waiting), 2)
  assert.ok(sampleIn(late, oldest) >= 7_000 && sampleIn(late, oldest) < 10_000)
  await db.updateTable('webhooks').set({ paused_because: 'failing' }).where('id', '=', hook.id).execute()
  assert.equal(sampleIn(await scrape(), waiting), 0)
})

test('sign-ins are counted by way and outcome, and tokens that the API refuses', async () => {
  const wrong = 'octavo_sign_ins_total{way="password",outcome="wrong"}'
  const refused = 'octavo_sign_ins_total{way="api",outcome="wrong"}'
  const byToken = 'octavo_sign_ins_total{way="token",outcome="done"}'
  const grown = await growth([wrong, refused, byToken], async () => {
    const tab = new Tab(w)
    await tab.get('/sign-in')
    await tab.post('/sign-in', { email: 'nobody@people.test', password: 'not the password' })
    await tab.post('/sign-in/token', { token: w.people.read.token })
    await w.call('GET', '/user', { as: { token: 'octavo_nothing' } })
  })
  assert.deepEqual(grown, [1, 1, 1])
})

test('files are counted by what is done with them, and in bytes', async () => {
  const samples = [
    'octavo_blob_operations_total{operation="put",outcome="done"}',
    'octavo_blob_operations_total{operation="put",outcome="refused"}',
    'octavo_blob_operations_total{operation="get",outcome="done"}',
    'octavo_blob_operations_total{operation="get",outcome="missing"}',
    'octavo_blob_bytes_total{operation="put"}',
  ]
  const grown = await growth(samples, async () => {
    const { blobs } = w.services
    const { sha256 } = await blobs.put(Buffer.from('seven b'), { contentType: 'text/plain' })
    await assert.rejects(
      blobs.put(Buffer.from('others'), { contentType: 'text/plain', sha256: 'a'.repeat(64) }),
    )
    ;(await blobs.read(sha256))?.stream.destroy()
    assert.equal(await blobs.read('b'.repeat(64)), undefined)
  })
  assert.deepEqual(grown, [1, 1, 1, 1, 7])
})

test('live streams are counted while they are open, with what they sent and why they ended', async () => {
  const origin = await originOf(w)
  const leave = new AbortController()
  const headers = { authorization: `Bearer ${w.people.read.token}` }
  const answer = await fetch(`${origin}/v1/stream`, { headers, signal: leave.signal })
  const reader = answer.body?.getReader()
  await reader?.read()
  assert.equal(sampleIn(await scrape(), 'octavo_streams_open'), 1)
  const [sent = 0] = await growth(['octavo_stream_events_total'], async () => {
    await w.createSpace({ title: 'Seen' })
    await reader?.read()
  })
  assert.ok(sent >= 1)
  const [left] = await growth(['octavo_streams_closed_total{reason="left"}'], async () => {
    leave.abort()
    while (hubOf(w.services).open > 0) await new Promise(resolve => setTimeout(resolve, 10))
  })
  assert.equal(left, 1)
  assert.doesNotMatch(await scrape(), /duration_seconds_count\{route="\/v1\/stream"\}/)
})

test('requests beyond the limit are counted by whom they counted for', async () => {
  const app = serverWith(w, { addressRequestsPerMinute: 1 })
  const answers = await Promise.all([1, 2, 3].map(() => app.inject('/v1/user')))
  // A minute may end between two of them.
  const refused = answers.filter(({ statusCode }) => statusCode === 429).length
  assert.ok(refused > 0)
  assert.equal(sampleIn(await scrape(app), 'octavo_http_requests_limited_total{caller="address"}'), refused)
  await app.close()
})

test('without the token /metrics is refused, and without a token of the operator it does not exist', async () => {
  assert.equal((await w.app.inject('/metrics')).statusCode, 401)
  const { metricsToken: _, ...config } = w.config
  const app = serverWith({ ...w, config }, {})
  assert.equal((await app.inject('/metrics')).statusCode, 404)
  await app.close()
})

test('a label may have any character', () => {
  const metric = tallied('m', 'Help.', ['label'], new Tally(['a"b\\c\nd']).counts())
  assert.equal(
    [...renderMetric(metric)].join(''),
    '# HELP m Help.\n# TYPE m counter\nm{label="a\\"b\\\\c\\nd"} 0\n',
  )
})

test('each metric is described once, and its samples follow its description', async () => {
  const text = await scrape()
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  assert.deepEqual(names, [...new Set(names)])
  let current = ''
  for (const line of text.trimEnd().split('\n')) {
    const [, described] = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (described !== undefined) current = described
    else if (!line.startsWith('# HELP '))
      assert.match(line, new RegExp(`^${current}(?:_bucket|_sum|_count)?(?:\\{\\w+="[^\\n]*"\\})? \\S+$`))
  }
})

const ROOT = join(import.meta.dirname, '../..')

test('the dashboard and the alerts name only metrics and labels that /metrics has', async () => {
  const text = await scrape()
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const files = ['deploy/grafana/octavo.json', ...globSync('deploy/prometheus/*.yml', { cwd: ROOT })]
  assert.ok(files.length > 1)
  for (const file of files) {
    const named = readFileSync(join(ROOT, file), 'utf8').match(/\b(?:octavo|process|nodejs)_\w+/g) ?? []
    assert.ok(named.length > 5, file)
    assert.deepEqual(
      [...new Set(named)].filter(name => !known.has(name)),
      [],
      file,
    )
  }
})
