// Nobody can make any operation fail as a bug does (500), whatever is sent: odd bodies, paths, queries and headers, from
// people who may do everything. `OCTAVO_PROPERTY_RUNS=200` sends each operation so many
// requests, `OCTAVO_PROPERTY_SEED=2` others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/api/index.ts'
import type { Operation } from '../../src/http/operation.ts'
import { assertContract } from '../support/contract.ts'
import { liveAt, pagesOf } from '../support/edits.ts'
import {
  bodyOf,
  Dice,
  headersOf,
  type Known,
  ODD_TEXTS,
  queryOf,
  segmentOf,
  valueFor,
} from '../support/hostile-requests.ts'
import { inject } from '../support/inject.ts'
import { publishFiles } from '../support/pages.ts'
import { runs } from '../support/property-runs.ts'
import { newScene } from './scene.ts'

const { w, space, paramsOf } = await newScene()

const RUNS = runs(2)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? 1)

await publishFiles(w, space.id, {
  'README.md': '# Start\n\nText with [a link](guide.md).\n',
  'guide.md': '# Guide\n\n## Part\n\n* one\n* two\n\n| a | b |\n| - | - |\n| c | d |\n',
  'SUMMARY.md': '# Table of contents\n\n* [Start](README.md)\n* [Guide](guide.md)\n',
})
const pages = [...(await pagesOf(w, liveAt(space.id))).values()]

const known = (operation: Operation): Known => {
  const params = paramsOf(operation)
  return (name, dice) => {
    if (/page|parent|document/i.test(name)) return dice.pick(pages).id
    const found = Object.keys(params).find(one => one.toLowerCase().startsWith(name.toLowerCase()))
    if (found !== undefined && name !== '') return params[found]
    if (/user|member|author|creator|reviewer/i.test(name)) return w.people.read.id
    if (/space/i.test(name)) return space.id
    if (/team/i.test(name)) return params.teamId
    if (/mail/i.test(name)) return dice.pick(['a@b.test', 'ä@b.test', `${'a'.repeat(64)}@b.test`])
    if (/url/i.test(name)) return dice.pick(['https://a.test/x', 'http://127.0.0.1:1/'])
    if (/markdown/i.test(name))
      return dice.pick(['# a\n\nb', '| a |\n|-|\n'.repeat(20), '{% hint %}'.repeat(50)])
    return undefined
  }
}

const pathIn = (url: string): string => url.slice('/v1'.length)

function requestOf(operation: Operation, dice: Dice) {
  const params = paramsOf(operation)
  const isLasting = operation.method === 'DELETE' || /leave|transfer/.test(operation.path)
  const path = operation.path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string) => {
    const real = /page|document/i.test(name)
      ? dice.pick([...pages.map(({ id }) => id), 'guide', 'readme'])
      : params[name]
    const isOdd = dice.isIn(0.1) || (isLasting && operation.path.endsWith(`{${name}}`))
    const value = isOdd || real === undefined ? dice.pick(ODD_TEXTS) : real
    return segmentOf(value.toWellFormed(), dice)
  })
  const query = queryOf((operation.query ?? {}) as never, dice, known(operation))
  const value =
    operation.body === undefined
      ? dice.isIn(0.2)
        ? dice.pick(ODD_TEXTS)
        : undefined
      : valueFor(operation.body as never, dice, known(operation))
  return {
    method: operation.method,
    url: `/v1${path}${query}`,
    headers: {
      authorization: `Bearer ${w.people.admin.token}`,
      ...(value === undefined ? {} : { 'content-type': 'application/json' }),
      ...headersOf(dice),
    },
    ...(value === undefined ? {} : { payload: bodyOf(value, dice) }),
  }
}

for (const [index, operation] of operations.entries())
  test(`${operation.id} answers whatever it is sent, as it says it does`, async () => {
    const dice = new Dice(SEED * operations.length + index)
    for (let run = 0; run < RUNS; run++) {
      const request = requestOf(operation, dice)
      const { statusCode, payload, headers } = await inject(w.app, request)
      const sent = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.payload ?? ''}`
      assert.ok(statusCode < 500 || statusCode === 503, `${statusCode} ${payload} to ${sent.slice(0, 5000)}`)
      const isJson = payload !== '' && String(headers['content-type']).startsWith('application/json')
      assertContract(
        request.method,
        pathIn(request.url),
        statusCode,
        isJson ? JSON.parse(payload) : undefined,
      )
    }
  })
