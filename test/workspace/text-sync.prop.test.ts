// The text of a page while several write it: no word is lost, and the editor shows what will be saved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { applied } from '../../src/web/data/text-change.ts'
import { TextSync } from '../../src/web/editor/text-sync.ts'
import { tried } from '../support/property-runs.ts'

type Step =
  | { readonly kind: 'type'; readonly at: number }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'others'; readonly at: number }
  | { readonly kind: 'send' | 'arrive' | 'refuse' | 'read' }

const place = fc.integer({ min: 0, max: 1000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('type', 'delete', 'others'), at: place }),
  fc.record({ kind: fc.constantFrom('send', 'arrive', 'refuse', 'read') }),
)

/** A server that takes a text whole, if nobody wrote since it was read, and adds a line for others. */
class Writing {
  readonly sync: TextSync
  /** What the editor shows. */
  doc: Text
  server: string
  sent: string | undefined
  count = 0
  readonly words: string[] = []

  constructor(text: string) {
    this.sync = new TextSync({ head: '', text })
    this.doc = this.sync.text
    this.server = text
  }

  do(one: Step): void {
    switch (one.kind) {
      case 'type':
        this.#edit(one.at, 0, this.#word('mine'))
        return
      case 'delete':
        this.#edit(one.at, 1, '')
        return
      case 'others': {
        if (this.sent !== undefined) return
        const lines = this.server.split('\n')
        lines.splice(one.at % (lines.length + 1), 0, this.#word('theirs'))
        this.server = lines.join('\n')
        return
      }
      case 'send':
        // The server would merge otherwise: here it is read first.
        if (this.sent === undefined) this.#settle()
        this.sent ??= this.sync.send()
        return
      case 'arrive':
        if (this.sent === undefined) return
        this.server = this.sent
        this.sent = undefined
        this.#settle()
        return
      case 'refuse':
        if (this.sent !== undefined) this.sync.refuse()
        this.sent = undefined
        return
      case 'read':
        if (this.sent === undefined) this.#settle()
    }
  }

  #word(whose: string): string {
    const word = `${whose}${this.count++}`
    this.words.push(word)
    return word
  }

  #edit(at: number, length: number, insert: string): void {
    // Of the blanks between words alone, so that every word that is gone was lost.
    const blanks = [...this.doc.toString().matchAll(/ /g)].map(({ index }) => index)
    const from = blanks[at % blanks.length]
    if (from === undefined || (length > 0 && blanks.length < 2)) return
    const changes = ChangeSet.of(
      { from, to: from + length, insert: insert === '' ? '' : ` ${insert}` },
      this.doc.length,
    )
    this.doc = changes.apply(this.doc)
    this.sync.edit(changes)
  }

  #settle(): void {
    this.doc = this.sync.settle(this.server).apply(this.doc)
  }
}

const START = 'one two three\n\nfour five six\n\nseven eight nine\n'

test('whatever arrives in whatever order, the editor shows the text that is sent, and every word is in it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const writing = new Writing(START)
      for (const one of steps) {
        writing.do(one)
        assert.equal(writing.sync.text.toString(), writing.doc.toString())
      }
      writing.do({ kind: 'refuse' })
      writing.do({ kind: 'read' })
      const text = writing.doc.toString()
      for (const word of writing.words) assert.ok(text.includes(word), `${word} in ${text}`)
    }),
    tried(300),
  )
})

test('what the device keeps makes the text of the writer of what is there, whatever its line ends', () => {
  fc.assert(
    fc.property(fc.constantFrom('\n', '\r\n'), fc.array(step, { maxLength: 30 }), (lineEnd, steps) => {
      const writing = new Writing(START.replaceAll('\n', lineEnd))
      for (const one of steps) {
        writing.do(one)
        const { sync } = writing
        assert.equal(applied(sync.change, sync.there), sync.write(sync.text))
      }
    }),
    tried(300),
  )
})

const textOf = (text: string) => Text.of(text.split('\n'))

test('line ends stay as they came: of one kind, and mixed', () => {
  for (const text of ['a\r\nb\r\n', 'a\nb\n', 'a\r\nb\nc\rd', '\na\r\n', ''])
    assert.equal(new TextSync({ head: '', text }).send(), text, JSON.stringify(text))
  const sync = new TextSync({ head: '', text: 'a\r\nb\r\n' })
  sync.edit(ChangeSet.of({ from: 4, insert: Text.of(['c', '']) }, 4))
  assert.equal(sync.send(), 'a\r\nb\r\nc\r\n')
})

test('a text that was left unsaved goes on from what it was written from', () => {
  const sync = new TextSync({ head: '', text: 'one\n\ntwo\n' }, textOf('one more\n\ntwo\n'))
  assert.equal(sync.isSaved, false)
  sync.settle('one\n\ntwo of others\n')
  assert.equal(sync.text.toString(), 'one more\n\ntwo of others\n')
  assert.equal(sync.there, 'one\n\ntwo of others\n')
})

test('where both changed a line, the text to choose from has the writer’s, and other lines of others', () => {
  const sync = new TextSync(
    { head: '', text: 'one\n\ntwo\n\nthree\n' },
    textOf('one of mine\n\ntwo\n\nthree\n'),
  )
  const text = sync.mergeKeepingMine('one of theirs\n\ntwo of theirs\n\nthree\n')
  assert.equal(text.toString(), 'one of mine\n\ntwo of theirs\n\nthree\n')
})
