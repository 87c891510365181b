import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf } from '../../../test/support/typeset.ts'
import { createTypesetter, TYPESET_BOUNDS } from './typesetter.ts'

const wordsOf = (paragraphs: number) =>
  documentOf(
    JSON.stringify(
      Array.from({ length: paragraphs }, (_, at) => ({
        ...{ kind: 'paragraph', dir: 'ltr' },
        inside: [`${at} ${'words of a paragraph '.repeat(40)}`],
      })),
    ),
  )
const noPictures = () => Promise.resolve(null)

test('what takes more memory or time than it may is ended, and so is what runs when the server stops', async () => {
  const small = createTypesetter({ ...TYPESET_BOUNDS, megabytesMax: 64 })
  assert.deepEqual(await small.typeset(wordsOf(1_500), noPictures), { kind: 'beyond', bound: 'memory' })
  const hasty = createTypesetter({ ...TYPESET_BOUNDS, millisecondsMax: 1 })
  assert.deepEqual(await hasty.typeset(wordsOf(1_500), noPictures), { kind: 'beyond', bound: 'time' })
  const stopped = createTypesetter()
  const running = stopped.typeset(wordsOf(1_500), noPictures)
  const refused = assert.rejects(running, /server is stopping/)
  await stopped.close()
  await refused
  await assert.rejects(stopped.typeset(wordsOf(1), noPictures), /server is stopping/)
})
