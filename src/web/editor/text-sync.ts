// The text of a page while somebody writes it: as the server has it, what is on its way there, what is not yet, and what
// others write meanwhile, which goes between the changes of the writer without moving them.
import { diff } from '@codemirror/merge'
import { ChangeSet, Text } from '@codemirror/state'
import type { TextChange } from '../data/text-change.ts'

/** Beyond it, a comparison takes larger pieces: the words stay the same. */
const COMPARISON = { scanLimit: 1000, timeout: 200 }

/** A text, and what comes before it. */
type Written = { readonly head: string; readonly text: string }

/** In lines; those of `text` end as those of what it was written from. */
export const readText = (from: Written, text = from.text): Text => Text.of(text.split(separatorOf(from)))

export class TextSync {
  /** Before the text: what line ends it has, a text of one line does not say. */
  readonly #head: string
  #separator: string
  /** As the server has it. */
  #there: Text
  /** From there to what is on its way to the server. */
  #sent: ChangeSet | undefined
  /** From there, or from what is on its way, to the text of the writer. */
  #unsent: ChangeSet

  /** `text` was written from what is there. */
  constructor({ head, text: there }: Written, text = readText({ head, text: there })) {
    this.#head = head
    this.#separator = separatorOf({ head, text: there })
    this.#there = this.read(there)
    this.#unsent = changesBetween(this.#there, text)
  }

  /** As the writer has it. */
  get text(): Text {
    return this.#unsent.apply(this.#base())
  }

  get there(): string {
    return this.write(this.#there)
  }

  /** What the writer made of what is there, with its line ends: found without reading either text as a whole. */
  get change(): TextChange {
    const [there, text] = [this.#there, this.text]
    const changes = this.#sent?.compose(this.#unsent) ?? this.#unsent
    let [from, to, textTo] = [there.length, there.length, text.length]
    let isFirst = true
    changes.iterChangedRanges((fromA, toA, _fromB, toB) => {
      if (isFirst) from = fromA
      isFirst = false
      to = toA
      textTo = toB
    })
    const charactersTo = (position: number) =>
      position + (there.lineAt(position).number - 1) * (this.#separator.length - 1)
    return {
      first: charactersTo(from),
      insert: text.sliceString(from, textTo, this.#separator),
      last: charactersTo(there.length) - charactersTo(to),
    }
  }

  get isSaved(): boolean {
    return this.#sent === undefined && this.#unsent.empty
  }

  /** A text with the line ends that it came with. */
  write(text: Text): string {
    return text.sliceString(0, text.length, this.#separator)
  }

  /** The writer changed the text. */
  edit(changes: ChangeSet): void {
    this.#unsent = this.#unsent.compose(changes)
  }

  /** The text to send. Until `settle` or `refuse`, what is written is kept apart from it. */
  send(): string {
    const text = this.#unsent.apply(this.#there)
    this.#sent = this.#unsent
    this.#unsent = ChangeSet.empty(text.length)
    return this.write(text)
  }

  /** What was sent is not there. */
  refuse(): void {
    if (this.#sent === undefined) return
    this.#unsent = this.#sent.compose(this.#unsent)
    this.#sent = undefined
  }

  /** What the server has now, with what was sent. The changes are those that the text of the writer needs. */
  settle(there: string): ChangeSet {
    this.#separator = separatorOf({ head: this.#head, text: there })
    const text = this.read(there)
    const changes = changesBetween(this.#base(), text)
    const mine = changes.map(this.#unsent)
    this.#unsent = this.#unsent.map(changes, true)
    this.#there = text
    this.#sent = undefined
    return mine
  }

  /** The text of the writer with what others changed in other lines: where both changed the same, it is the writer's. */
  mergeKeepingMine(there: string): Text {
    const base = this.#base()
    const others = this.#changesOfOthers(there).filter(({ isInMine }) => !isInMine)
    const changes = ChangeSet.of(others, base.length)
    return changes.map(this.#unsent).apply(this.text)
  }

  /** Whether others changed lines that the writer changed, and not to the same text. */
  clashesWith(there: string): boolean {
    return !this.text.eq(this.read(there)) && this.#changesOfOthers(there).some(({ isInMine }) => isInMine)
  }

  #changesOfOthers(there: string) {
    const base = this.#base()
    const mine = linesOf(this.#unsent, base)
    return changeList(base, this.read(there)).map(change => {
      const [first, last] = [base.lineAt(change.from).number, base.lineAt(change.to).number]
      const isInMine = mine.some(([mineFirst, mineLast]) => mineFirst <= last && first <= mineLast)
      return { ...change, isInMine }
    })
  }

  #base(): Text {
    return this.#sent === undefined ? this.#there : this.#sent.apply(this.#there)
  }

  /** What the server has, in lines. */
  read(there: string): Text {
    return readText({ head: this.#head, text: there })
  }
}

/** Mixed line ends are kept: `\r` is then a character at the end of a line. A text of one line has those before it. */
function separatorOf({ head, text }: Written): string {
  const lines = text.includes('\n') ? text : head
  return /\r\n/.test(lines) && !/[^\r]\n|^\n/.test(lines) ? '\r\n' : '\n'
}

export const changesBetween = (before: Text, after: Text): ChangeSet =>
  ChangeSet.of(changeList(before, after), before.length)

const changeList = (before: Text, after: Text) =>
  before.eq(after)
    ? []
    : diff(before.toString(), after.toString(), COMPARISON).map(({ fromA, toA, fromB, toB }) => ({
        from: fromA,
        to: toA,
        insert: after.slice(fromB, toB),
      }))

/** The first and the last line of each change. */
function linesOf(changes: ChangeSet, text: Text): [number, number][] {
  const lines: [number, number][] = []
  changes.iterChangedRanges((from, to) => {
    lines.push([text.lineAt(from).number, text.lineAt(to).number])
  })
  return lines
}
