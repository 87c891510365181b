import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { modelServer, operationsOver } from '../../../test/support/model-server.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { type Environment, readConfig } from '../../platform/config.ts'
import { createEmbedder } from '../../platform/model/embedder.ts'
import { createEmbeddings } from './embeddings.ts'
import { embeddingJobs, prepareEmbeddings } from './jobs.ts'

const model = await modelServer()

/** Vectors by meaning: cars are one direction, invoices another, everything else a third. */
const DIRECTIONS = [/\b(?:car|automobile|vehicle)/i, /\b(?:invoice|bill)/i, /./]
const toVector = (text: string): number[] =>
  DIRECTIONS.map((direction, at) => (direction.test(text) ? 1 / (at + 1) : 0.01))
const understand = () => model.embed(texts => ({ vectors: texts.map(toVector) }))
beforeEach(understand)

/** The texts that were sent since. */
const sentSince = (from: number): string[] =>
  model.asked.slice(from).flatMap(({ body }) => (JSON.parse(body) as { input: string[] }).input)

/** A world whose server has an embedding model; jobs run on demand. */
async function embedding(settings: Environment = {}, existing?: World) {
  const w = existing ?? (await world())
  const name = newId()
  const { model: config } = readConfig({
    ...{ OCTAVO_AI_BASE_URL: model.baseUrl, OCTAVO_AI_MODEL: 'writer', OCTAVO_AI_EMBEDDING_MODEL: name },
    ...settings,
  })
  assert.ok(config !== undefined)
  const embedder = createEmbedder(config, name, w.services.db)
  const services = { ...w.services, embeddings: createEmbeddings(w.services, embedder, config) }
  const app = operationsOver(services, /ask/i)
  const [job] = embeddingJobs(services)
  const headers = { authorization: `Bearer ${w.people.read.token}`, 'content-type': 'application/json' }
  return {
    ...{ w, services, name },
    make: (space: string, signal = new AbortController().signal) =>
      job?.run({ space }, { id: newId(), attempt: 1, signal }),
    /** The sections that were read for an answer, best first. */
    async passages(query: string): Promise<readonly { readonly space: string; readonly section: string }[]> {
      const { statusCode, payload } = await app.inject({
        ...{ method: 'POST', url: `/v1/orgs/${w.organizationId}/ask?details=true`, headers },
        payload: JSON.stringify({ query }),
      })
      assert.equal(statusCode, 200)
      return JSON.parse(payload).octavo.passages
    },
    count: async () => {
      const { rows } = await sql<{ sections: number; texts: number }>`
        select (select count(*)::integer from embedded_sections where model = ${name}) as sections,
          (select count(*)::integer from embeddings where model = ${name}) as texts`.execute(w.services.db)
      return rows[0]
    },
  }
}

const CARS = {
  'SUMMARY.md': '* [Fleet](fleet.md)\n* [Hidden](hidden.md)\n',
  'fleet.md':
    '# Fleet\n\n## Automobiles\n\nEach automobile is washed on Mondays.\n\n## Desks\n\nDesks are oak.\n',
  'hidden.md': '---\nnoIndex: true\n---\n\n# Hidden\n\nThe vehicle of the boss is a tank.\n',
}

test('a section in other words is found by its meaning', async () => {
  const { w, make, passages } = await embedding()
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  await make(space)
  const found = await passages('car?')
  assert.match(found[0]?.section ?? '', /#automobiles$/)
})

test('words and meaning are ranked together', async () => {
  const { w, make, passages } = await embedding()
  const space = await spaceWith(
    w,
    {
      'a.md':
        '# A\n\n## Automobiles\n\nEach automobile has a polish.\n\n## Oak desks\n\nPolish for oak desks.\n',
    },
    { defaultLevel: 'read' },
  )
  await make(space)
  assert.match((await passages('polish vehicles'))[0]?.section ?? '', /#automobiles$/)
})

test('each text is sent once, and none of pages that are hidden from search', async () => {
  const { w, make, count } = await embedding()
  const before = model.asked.length
  const space = await spaceWith(w, CARS)
  await make(space)
  const sent = sentSince(before)
  assert.ok(sent.some(text => /washed on Mondays/.test(text)))
  assert.ok(!sent.some(text => /tank/.test(text)), 'a page marked noIndex is no concern of the model')
  const again = model.asked.length
  await make(space)
  await make(await spaceWith(w, CARS))
  assert.deepEqual(sentSince(again), [])
  await publishFiles(w, space, {
    ...CARS,
    'fleet.md': CARS['fleet.md'].replace('Desks are oak.', 'Desks are of pine.'),
  })
  await make(space)
  assert.deepEqual(sentSince(again), ['Fleet\nDesks\nDesks are of pine.'])
  assert.ok(((await count())?.sections ?? 0) > ((await count())?.texts ?? 0))
})

test('a space is not found after access to it is removed', async () => {
  const { w, make, passages } = await embedding()
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  await make(space)
  assert.ok((await passages('car?')).length > 0)
  await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
  assert.deepEqual(await passages('car?'), [])
})

test('new content is found as soon as it has embeddings, and removed content no longer', async () => {
  const { w, make, passages } = await embedding()
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  await make(space)
  assert.ok((await passages('invoices?')).length > 0)
  await publishFiles(w, space, {
    'fleet.md': '# Fleet\n\n## Billing\n\nA bill is sent each month.\n\n## Desks\n\nDesks are oak.\n',
  })
  await make(space)
  assert.match((await passages('invoice?'))[0]?.section ?? '', /#billing$/)
  assert.ok(!(await passages('car?')).some(({ section }) => section.endsWith('#automobiles')))
})

test('nothing of an organization that turned AI off is sent', async () => {
  const { w, make, passages } = await embedding()
  await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { ai: false } })
  const before = model.asked.length
  await make(await spaceWith(w, CARS, { defaultLevel: 'read' }))
  await passages('car?')
  assert.deepEqual(sentSince(before), [])
})

test('a model that answers garbage is ignored: words find what there is', async () => {
  const w = await world()
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  for (const answer of [
    { vectors: [[1, 2]] },
    { vectors: [] },
    { vectors: [[1], [1, 2], [1], [1]] },
    { vectors: [[], [], [], []] },
    {
      vectors: [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    },
    {
      vectors: [
        [null, 1],
        ['NaN', 1],
        [1, 1],
        [1, 1],
      ],
    },
    { vectors: Array.from({ length: 4 }, () => Array.from({ length: 5_000 }, () => 1)) },
    { vectors: 'what?' },
    { status: 500, vectors: [] },
  ]) {
    const { make, passages, count } = await embedding({}, w)
    model.embed(() => answer)
    await assert.rejects(async () => make(space), /could not be asked/, JSON.stringify(answer).slice(0, 80))
    assert.deepEqual(await count(), { sections: 0, texts: 0 })
    assert.match((await passages('automobiles'))[0]?.section ?? '', /#automobiles$/)
  }
})

test('a model that does not answer delays one question, and not the next', async () => {
  const { w, make, passages } = await embedding()
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  await make(space)
  model.embed(() => 'never')
  const before = model.asked.length
  assert.match((await passages('automobiles'))[0]?.section ?? '', /#automobiles$/)
  assert.match((await passages('desks'))[0]?.section ?? '', /#desks$/)
  assert.equal(model.asked.length - before, 1)
})

test("vectors of another length than the question's are ignored", async () => {
  const { w, make, passages } = await embedding()
  await make(await spaceWith(w, CARS, { defaultLevel: 'read' }))
  model.embed(texts => ({ vectors: texts.map(() => [1, 2, 3, 4, 5]) }))
  assert.deepEqual(await passages('car?'), [])
})

test('an organization that has used up its hourly limit continues later', async () => {
  const { w, make, count } = await embedding({ OCTAVO_AI_TOKENS_PER_HOUR: '1' })
  const space = await spaceWith(w, CARS)
  await make(space)
  assert.deepEqual(await count(), { sections: 0, texts: 0 })
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from run_at - now())::float8 / 60 as minutes from jobs
    where name = 'embeddings.make' and key = ${space}`.execute(w.services.db)
  assert.ok((rows[0]?.minutes ?? 0) > 10)
  await sql`delete from jobs where key = ${space}`.execute(w.services.db)
})

test('embeddings of another model, and of texts without a section, are removed', async () => {
  const { w, make, services, name } = await embedding()
  const space = await spaceWith(w, CARS)
  await make(space)
  const { db } = w.services
  const other = newId()
  await sql`insert into embeddings (model, text_hash, vector, created_at)
    select ${other}, text_hash, vector, now() - interval '2 days' from embeddings where model = ${name}`.execute(
    db,
  )
  await sql`insert into embedded_sections (document_hash, ordinal, model, text_hash)
    select document_hash, ordinal, ${other}, text_hash from embedded_sections where model = ${name}`.execute(
    db,
  )
  const gone = await sql<{
    hash: Buffer
  }>`delete from sections where heading = 'Automobiles' and document_hash in (
    select document_hash from embedded_sections where model = ${name}) returning document_hash as hash`.execute(
    db,
  )
  assert.ok(gone.rows.length > 0)
  await sql`update embeddings set created_at = now() - interval '2 days' where model = ${name}`.execute(db)
  const count = async (of: string) =>
    (await sql<{ n: number }>`select count(*)::integer as n from embeddings where model = ${of}`.execute(db))
      .rows[0]?.n
  const before = (await count(name)) ?? 0
  await prepareEmbeddings(services)
  assert.equal(await count(other), 0)
  assert.equal(await count(name), before - 1)
  await sql`delete from jobs where name = 'embeddings.make'`.execute(db)
})

test('sections whose embedded text has changed are embedded again, and no others', async () => {
  const { w, make, name } = await embedding()
  const space = await spaceWith(w, CARS)
  await make(space)
  const { db } = w.services
  const textsOf = async () =>
    (
      await sql<{ text: string }>`select encode(text_hash, 'hex') as text from embedded_sections
        where model = ${name} order by document_hash, ordinal`.execute(db)
    ).rows.map(({ text }) => text)
  const texts = await textsOf()
  await sql`insert into embeddings (model, text_hash, vector) values (${name}, '\\x00', '\\x010203')`.execute(
    db,
  )
  await sql`update embedded_sections set making = 0,
      text_hash = case when ordinal = 1 then '\\x00'::bytea else text_hash end where model = ${name}`.execute(
    db,
  )
  await sql`delete from embeddings where model = ${name} and text_hash = ${Buffer.from(texts[1] as string, 'hex')}`.execute(
    db,
  )
  const before = model.asked.length
  await make(space)
  assert.deepEqual([await textsOf(), sentSince(before).length], [texts, 1])
})

test('tokens that an embedding model uses beyond the reserved ones count', async () => {
  const { w, make } = await embedding()
  const space = await spaceWith(w, CARS)
  model.embed(texts => ({ vectors: texts.map(toVector), tokens: 700_000 }))
  await make(space)
  const { rows } = await sql<{ tokens: number }>`select sum(tokens)::integer as tokens from model_use
    where organization_id = ${w.organizationId}`.execute(w.services.db)
  assert.equal(rows[0]?.tokens, 700_000)
})

test('a space is embedded after it was published', async () => {
  const w = await world({
    ...{ OCTAVO_AI_BASE_URL: model.baseUrl, OCTAVO_AI_MODEL: 'writer', OCTAVO_AI_EMBEDDING_MODEL: 'e' },
  })
  await spaceWith(w, CARS)
  for (;;) {
    const { rows } = await sql`select from embedded_sections`.execute(w.services.db)
    if (rows.length > 0) break
    await sleep(20)
  }
})
