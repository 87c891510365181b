import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontsFor } from './fonts.ts'
import { createTypesetter, TYPESET_BOUNDS } from './typesetter.ts'

const { text, code, formulas, files } = fontsFor([], null)
const book = {
  ...{ title: 'T', organization: '', mark: '', documentTitle: 'T', lang: 'en', dir: 'ltr', facts: [] },
  ...{ fonts: { text, code, formulas }, words: {}, hasCover: false, hasContents: false },
  ...{ labels: {}, pictures: {} },
}
const documentOf = (paragraphs: number) => ({
  ...{ fonts: files, ownFonts: [], pictures: [] },
  texts: {
    '/book.json': JSON.stringify({
      ...book,
      pages: [
        {
          id: 'p1',
          title: 'P',
          mark: '',
          depth: 1,
          dir: 'ltr',
          before: [],
          description: '',
          file: '/1.json',
        },
      ],
    }),
    '/1.json': JSON.stringify(
      Array.from({ length: paragraphs }, (_, at) => ({
        ...{ kind: 'paragraph', dir: 'ltr' },
        inside: [`${at} ${'words of a paragraph '.repeat(40)}`],
      })),
    ),
  },
})
const noPictures = () => Promise.resolve(null)

test('what takes more memory or time than it may is ended, and so is what runs when the server stops', async () => {
  const small = createTypesetter({ ...TYPESET_BOUNDS, megabytesMax: 80 })
  assert.deepEqual(await small.typeset(documentOf(2_000), noPictures), { kind: 'beyond', bound: 'memory' })
  const hasty = createTypesetter({ ...TYPESET_BOUNDS, millisecondsMax: 50 })
  assert.deepEqual(await hasty.typeset(documentOf(20_000), noPictures), { kind: 'beyond', bound: 'time' })
  const stopped = createTypesetter()
  const running = stopped.typeset(documentOf(20_000), noPictures)
  const refused = assert.rejects(running, /stops/)
  await stopped.close()
  await refused
  await assert.rejects(stopped.typeset(documentOf(1), noPictures), /stops/)
})
