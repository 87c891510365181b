// Sequence diagrams: https://mermaid.js.org/syntax/sequenceDiagram.html.
import { type Draft, EDGE_SIZE, LETTER, type LineEnds, NODE_SIZE } from './draft.ts'
import { StandIns } from './stand-ins.ts'
import { type DiagramText, unquoted } from './text.ts'
import { brokenInto, readLabel, widest, widthOf } from './words.ts'

export const isSequence = (head: string): boolean => head === 'sequenceDiagram'

type Actor = { label: readonly string[]; isPerson: boolean }
type Message = {
  readonly from: string
  readonly to: string
  readonly label: readonly string[]
  readonly isDashed: boolean
  readonly arrow: string
  /** `+` begins a bar on who gets it, `-` ends one on who sends it. */
  bar: '' | '+' | '-'
}
type Note = { readonly side: string; readonly actors: readonly string[]; readonly label: readonly string[] }
type Step =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'note'; readonly note: Note }
  | { readonly kind: 'frame' | 'part'; readonly name: string; readonly label: readonly string[] }
  | { readonly kind: 'end' }

const ACTORS_MAX = 25
const STEPS_MAX = 300

/** Undefined if it cannot be drawn. */
export function draftSequence({ lines }: DiagramText): Draft | undefined {
  const reading = new Reading()
  const isRead = lines.flatMap(statementsIn).every(line => /^links? /.test(line) || reading.line(line))
  if (!isRead || !reading.isWhole) return undefined
  return write(reading)
}

/** A semicolon ends a statement, as a line does, unless it ends the code of a character. */
const statementsIn = (line: string): string[] =>
  line.split(/(?<![#&][a-z0-9]{1,6}) ?;/).flatMap(statement => statement.trim() || [])

const FRAMES: ReadonlyMap<string, RegExp> = new Map([
  ['loop', /^$/],
  ['opt', /^$/],
  ['break', /^$/],
  ['alt', /^else$/],
  ['par', /^and$/],
  ['critical', /^option$/],
])

const MESSAGE =
  /^([^\s:;,<>()+-](?:[^:;,<>()+-]|-(?![->x)]))*)(-->>|->>|--x|-x|--\)|-\)|-->|->) ?([+-]?) ?([^\s:;,<>()+-][^:;,<>()+]*):(.*)$/

class Reading {
  readonly actors = new Map<string, Actor>()
  readonly steps: Step[] = []
  hasBars = true
  /** Frames that are open; those that are only a colour are not drawn. */
  readonly #open: string[] = []
  #number: number | undefined

  get isWhole(): boolean {
    return (
      this.#open.length === 0 &&
      this.actors.size > 0 &&
      this.actors.size <= ACTORS_MAX &&
      this.steps.length <= STEPS_MAX
    )
  }

  /** Whether it was understood. */
  line(line: string): boolean {
    if (/^autonumber\b/.test(line)) {
      this.#number = 0
      return line === 'autonumber'
    }
    return (
      this.#participant(line) ??
      this.#bar(line) ??
      this.#note(line) ??
      this.#frame(line) ??
      this.#message(line)
    )
  }

  #participant(line: string): boolean | undefined {
    const [, kind, written = ''] = /^(participant|actor) (.*)$/.exec(line) ?? []
    if (kind === undefined) return undefined
    const [named = '', words] = written.split(' as ', 2)
    const [, name = '', alias] = /^([^@]+)(?:@\{(?:[^}]*"alias" ?: ?"([^"]*)")?[^}]*\})?$/.exec(named) ?? []
    if (name === '') return false
    Object.assign(this.#actor(name.trim()), {
      label: readLabel(unquoted(words ?? alias ?? name)),
      isPerson: kind === 'actor',
    })
    return true
  }

  #actor(name: string): Actor {
    const actor = this.actors.get(name) ?? { label: readLabel(name), isPerson: false }
    this.actors.set(name, actor)
    return actor
  }

  /** The library knows bars that begin and end with a message; where there are others, none is drawn. */
  #bar(line: string): true | undefined {
    const [, verb, name] = /^(activate|deactivate) (.*)$/.exec(line) ?? []
    if (verb === undefined) return undefined
    const last = this.steps.findLast(step => step.kind === 'message')?.message
    if (last?.bar === '' && (verb === 'activate' ? last.to : last.from) === name)
      last.bar = verb === 'activate' ? '+' : '-'
    else this.hasBars = false
    return true
  }

  #note(line: string): boolean | undefined {
    const [, side, names = '', words = ''] = /^note (left of|right of|over) ([^:]+):(.*)$/i.exec(line) ?? []
    if (side === undefined) return undefined
    const actors = names.split(',').map(name => name.trim())
    if (actors.length > 2 || actors.some(name => name === '')) return false
    for (const name of actors) this.#actor(name)
    this.steps.push({
      kind: 'note',
      note: { side: side.toLowerCase(), actors, label: readLabel(words.trim()) },
    })
    return true
  }

  #frame(line: string): boolean | undefined {
    const [, word = '', words = ''] = /^(\w+)(?: (.*))?$/.exec(line) ?? []
    if (word === 'rect') this.#open.push(word)
    else if (FRAMES.has(word)) {
      this.#open.push(word)
      this.steps.push({ kind: 'frame', name: word, label: readLabel(words) })
    } else if (word === 'end') {
      const closed = this.#open.pop()
      if (closed === undefined || words !== '') return false
      if (closed !== 'rect') this.steps.push({ kind: 'end' })
    } else if (/^(?:else|and|option)$/.test(word)) {
      if (FRAMES.get(this.#open.at(-1) ?? '')?.test(word) !== true) return false
      this.steps.push({ kind: 'part', name: word, label: readLabel(words) })
    } else return undefined
    return true
  }

  #message(line: string): boolean {
    const [, from, arrow = '', bar = '', to, words = ''] = MESSAGE.exec(line) ?? []
    if (from === undefined || to === undefined) return false
    const [one, other] = [from.trim(), to.trim()]
    this.#actor(one)
    this.#actor(other)
    const label = readLabel(words.trim())
    if (this.#number !== undefined) {
      this.#number += 1
      label[0] = `${this.#number}. ${label[0] ?? ''}`.trimEnd()
    }
    const isDashed = arrow.startsWith('--')
    this.steps.push({
      kind: 'message',
      message: { from: one, to: other, label, isDashed, arrow, bar: bar as Message['bar'] },
    })
    return true
  }
}

/** The library's arrows, and the ends that it has none for. */
function arrowOf({ isDashed, arrow }: Message): { readonly written: string; readonly end?: LineEnds['end'] } {
  const dashes = isDashed ? '--' : '-'
  if (arrow.endsWith('>>')) return { written: `${dashes}>>` }
  if (arrow.endsWith(')')) return { written: `${dashes})` }
  return { written: `${dashes}>>`, end: arrow.endsWith('x') ? 'cross' : 'none' }
}

const LABEL_LINES_MAX = 2
const LABEL_WIDTH_MAX = 190 / EDGE_SIZE
const ACTOR_LINES_MAX = 2
const ACTOR_WIDTH_MAX = 150 / NODE_SIZE
/** Between the middles of two that are next to each other, as the library has it. */
const GAP = 140
const SCALE_MAX = 6
const BESIDE = 32

function write({ actors, steps, hasBars }: Reading): Draft | undefined {
  const standIns = new StandIns()
  const ids = new Map([...actors.keys()].map((name, at) => [name, at]))
  const placeOf = (name: string) => ids.get(name) ?? 0
  const linesOf = ({ label }: Pick<Message, 'label'>) => brokenInto(label, LABEL_LINES_MAX, LABEL_WIDTH_MAX)
  // Lanes are as far from each other as the words between them need.
  const needed = steps.flatMap(step => {
    if (step.kind !== 'message') return []
    const { from, to } = step.message
    const width = widest(linesOf(step.message)) * EDGE_SIZE + (from === to ? 50 : 24)
    return [width / (GAP * Math.max(1, Math.abs(placeOf(from) - placeOf(to))))]
  })
  const scale = Math.max(1, ...needed)
  if (scale > SCALE_MAX) return undefined
  const ends = new Map<number, LineEnds>()
  let messages = 0
  const written = ['sequenceDiagram']
  const writeMessage = (
    from: number,
    arrow: string,
    to: number,
    lines: readonly string[],
    end?: LineEnds['end'],
  ) => {
    if (end !== undefined) ends.set(messages, { end })
    messages += 1
    written.push(`p${from}${arrow}p${to}: ${standIns.take(lines, 1)}`)
  }
  /** A message that is not drawn, for its room. */
  const writeAbsent = (from: number) =>
    writeMessage(from, '->>', from === 0 ? Math.min(1, actors.size - 1) : from - 1, [], 'absent')
  for (const [name, { label, isPerson }] of actors) {
    const lines = brokenInto(label, ACTOR_LINES_MAX, ACTOR_WIDTH_MAX)
    const width = Math.max(70, widest(lines) * NODE_SIZE + 28)
    const word = standIns.take(lines, (width / scale - BESIDE) / LETTER.node)
    written.push(`${isPerson ? 'actor' : 'participant'} p${placeOf(name)} as ${word}`)
  }
  // The name of a person is below a picture, where the library has the first message.
  if ([...actors.values()].some(({ isPerson }) => isPerson)) writeAbsent(0)
  for (const step of steps) {
    if (step.kind === 'message') {
      const { message } = step
      const arrow = arrowOf(message)
      writeMessage(
        placeOf(message.from),
        `${arrow.written}${hasBars ? message.bar : ''}`,
        placeOf(message.to),
        linesOf(message),
        arrow.end,
      )
    } else if (step.kind === 'note') {
      const { side, actors: beside, label } = step.note
      const width = widest([label.join(' ')]) * EDGE_SIZE + 16
      const word = standIns.take([label.join(' ')], (width / scale - 16) / LETTER.edge)
      written.push(`Note ${side} ${beside.map(name => `p${placeOf(name)}`).join(',')}: ${word}`)
      // The library makes no room for a note.
      writeAbsent(placeOf(beside[0] ?? ''))
    } else if (step.kind === 'end') written.push('end')
    else {
      const words = step.label.join(' ')
      const letters = (widthOf(words) * EDGE_SIZE) / scale / LETTER.title
      const word = words === '' ? '' : ` ${standIns.take([words], letters)}`
      written.push(`${step.kind === 'part' ? 'else' : step.name}${word}`)
    }
  }
  return {
    kind: 'Sequence diagram',
    text: written.join('\n'),
    standIns,
    scale: { x: scale, y: 1 },
    ends,
    linesBetween: messages,
    names: [...actors.values()].map(({ label }) => label.join(' ')),
  }
}
