import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear, type Shape } from '../../../test/support/growth.ts'
import { paragraphsOf } from './paragraphs.ts'

const GREETINGS = [
  '',
  'hi ',
  'Hello ',
  'hey there ',
  'Hi, ',
  'Dear team ',
  'Good morning ',
  'hallo ',
  'Bonjour ',
  'Hi Anna,\n',
  'Hello\n\n',
  'Thanks for your help. ',
  'Hi 👋 ',
]
const ENDINGS = [
  '',
  '\nThanks',
  '\n\nBest regards,\nAda Lovelace\n+44 20 7946 0000',
  '\n\nSent from my iPhone',
  '\n--\nAda Lovelace\nHead of Sums',
  '\n\nMerci',
  '\nThanks, Ada',
  '\n\n-----Original Message-----\nquoted',
]
const SUBJECTS = [
  'the umbrella',
  'my trombone',
  'our marzipan order',
  'the invoice',
  'every second parcel',
  'login page',
]
const VERBS = [
  'was not delivered',
  'fails since monday',
  'has the wrong address',
  'costs too much',
  'is gone',
  'needs a new key',
]
const JOINS = [' and ', '. ', ', ', '\n', ' but ', '\n\n', ' thanks to the update ']

const clauses = fc.array(fc.tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...VERBS)), {
  minLength: 1,
  maxLength: 4,
})

test('every clause of a message outlives its cleaning, whatever greets before it and signs below it', () => {
  const message = fc.record({
    greeting: fc.constantFrom(...GREETINGS),
    clauses,
    join: fc.constantFrom(...JOINS),
    ending: fc.constantFrom(...ENDINGS),
  })
  fc.assert(
    fc.property(message, ({ greeting, clauses, join, ending }) => {
      const parts = clauses.map(([subject, verb]) => `${subject} ${verb}`)
      const kept = paragraphsOf(`${greeting}${parts.join(join)}${ending}`)
        .flat()
        .join(' ')
        .toLowerCase()
      for (const part of parts) assert.ok(kept.includes(part), `${part}: ${kept}`)
      assert.doesNotMatch(kept, /lovelace|7946|iphone|quoted/)
    }),
  )
})

// Below a sign-off, two small words may be a name.
test('of any lines, those with three or more small words outlive the cleaning', () => {
  const word = fc.constantFrom(
    'hi',
    'thanks',
    'best',
    'dear',
    'sent',
    'from',
    'my',
    'regards',
    'export',
    'fails',
    'again',
    '--',
    'a',
  )
  const line = fc.array(word, { minLength: 0, maxLength: 7 }).map(words => words.join(' '))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), lines => {
      const kept = paragraphsOf(lines.join('\n')).flat().join(' ')
      for (const line of lines) {
        const said = /export(?: \S+)* fails|fails(?: \S+)* export/.exec(line)?.[0]
        if (said !== undefined && (line.match(/[a-z]+/g)?.length ?? 0) >= 3)
          assert.ok(kept.includes(said), `${said}: ${kept}`)
      }
    }),
  )
})

test('cleaning takes time in proportion to the message', async () => {
  const shapes: Readonly<Record<string, Shape>> = {
    greetings: size => 'Hi there '.repeat(size / 9),
    names: size => `Hi ${'Anna '.repeat(size / 5)}`,
    'sign-offs': size => 'Thanks\n'.repeat(size / 7),
    rules: size => `a\n${'--\n'.repeat(size / 3)}`,
    marks: size => `Hi ${'👋 ,'.repeat(size / 5)}`,
    legal: size => `this message ${'confidential '.repeat(size / 13)}`,
  }
  for (const [name, shape] of Object.entries(shapes)) await assertLinear(name, paragraphsOf, shape, 96 * 1024)
})
