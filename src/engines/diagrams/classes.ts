// Class diagrams: https://mermaid.js.org/syntax/classDiagram.html.
import { type Draft, EDGE_SIZE, LETTER, type LineEnds, type Link, NODE_SIZE } from './draft.ts'
import { numberOf, StandIns } from './stand-ins.ts'
import type { DiagramText } from './text.ts'
import { readLabel, widest, widthOf } from './words.ts'

export const isClasses = (head: string): boolean => /^classDiagram(?:-v2)?$/.test(head)

type Class = {
  label: string
  kind: string | undefined
  readonly fields: string[]
  readonly methods: string[]
}

type Relation = {
  readonly from: string
  readonly to: string
  readonly arrow: string
  readonly end: LineEnds['end'] | undefined
  readonly label: string
  readonly counts: readonly [from: string, to: string]
}

const CLASSES_MAX = 60
const MEMBERS_MAX = 400
const RELATIONS_MAX = 120

/** What says how it looks, or what a click does: it has the colours of the page that it is on, and leads nowhere. */
const DECORATION = /^(?:style|classDef|cssClass|click|callback|link) /

/** Undefined if it cannot be drawn. */
export function draftClasses({ lines }: DiagramText): Draft | undefined {
  const reading = new Reading()
  if (!lines.every(line => DECORATION.test(line) || reading.line(line)) || !reading.isWhole) return undefined
  return write(reading)
}

const NAMED = '(?:`[^`]+`|[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*?)(?:~[^~]+~)?'
const DECLARATION = new RegExp(
  `^class (${NAMED}) ?(?:\\["([^"]*)"\\])? ?(?::::[\\p{L}\\p{N}_-]+)?(?: <<([^<>]+)>>)? ?(\\{ ?\\}|\\{)?$`,
  'u',
)
const KIND = /^<<([^<>]+)>>$/
const KIND_OF = new RegExp(`^<<([^<>]+)>> ?(${NAMED})$`, 'u')
const MEMBER_OF = new RegExp(`^(${NAMED}) ?: ?(\\S.*)$`, 'u')
const RELATION = new RegExp(
  `^(${NAMED}) ?(?:"([^"]*)" ?)?(<\\|--|--\\|>|<\\|\\.\\.|\\.\\.\\|>|\\*--|--\\*|o--|--o|<--|-->|<\\.\\.|\\.\\.>|--|\\.\\.) ?(?:"([^"]*)" ?)?(${NAMED}) ?(?:: ?(\\S.*))?$`,
  'u',
)

type Arrow = { readonly arrow: string; readonly isTurned?: true; readonly end?: LineEnds['end'] }

/** Arrows, by what the library has for them. */
const ARROWS: Readonly<Record<string, Arrow>> = {
  ...Object.fromEntries(
    ['<|--', '<|..', '..|>', '*--', '--*', 'o--', '--o', '-->', '..>'].map(arrow => [arrow, { arrow }]),
  ),
  '--|>': { arrow: '<|--', isTurned: true },
  '<--': { arrow: '-->', isTurned: true },
  '<..': { arrow: '..>', isTurned: true },
  '--': { arrow: '-->', end: 'none' },
  '..': { arrow: '..>', end: 'none' },
}

class Reading {
  readonly classes = new Map<string, Class>()
  readonly relations: Relation[] = []
  #open: Class | undefined
  #members = 0

  get isWhole(): boolean {
    const pairs = new Set(this.relations.map(({ from, to }) => JSON.stringify([from, to])))
    return (
      this.#open === undefined &&
      this.classes.size > 0 &&
      this.classes.size <= CLASSES_MAX &&
      this.#members <= MEMBERS_MAX &&
      this.relations.length <= RELATIONS_MAX &&
      // The library lays out one line from a class to another.
      pairs.size === this.relations.length
    )
  }

  /** Whether it was understood. */
  line(line: string): boolean {
    if (this.#open !== undefined) return this.#inside(this.#open, line)
    if (/^direction (?:TB|TD|BT|LR|RL)$/.test(line)) return true
    const [, declared, label, of, brace] = DECLARATION.exec(line) ?? []
    if (declared !== undefined) {
      const one = this.#class(declared)
      if (label !== undefined) one.label = readLabel(label).join(' ')
      if (of !== undefined) one.kind = of.trim()
      if (brace === '{') this.#open = one
      return true
    }
    const [, kind, kindOf] = KIND_OF.exec(line) ?? []
    if (kindOf !== undefined) {
      this.#class(kindOf).kind = kind?.trim()
      return true
    }
    return this.#relation(line) ?? this.#member(line)
  }

  #inside(open: Class, line: string): boolean {
    if (line === '}') this.#open = undefined
    else {
      const kind = KIND.exec(line)?.[1]
      if (kind === undefined) return this.#add(open, line)
      open.kind = kind.trim()
    }
    return true
  }

  #member(line: string): boolean {
    const [, name, member = ''] = MEMBER_OF.exec(line) ?? []
    return name !== undefined && this.#add(this.#class(name), member)
  }

  #add(one: Class, written: string): boolean {
    this.#members += 1
    const words = generics(readLabel(written.replace(/;$/, '')).join(' '))
    if (/[{}]/.test(words)) return false
    if (words.includes('(')) one.methods.push(words.replace(/\)\s*(?=[^\s:$*])/, '): '))
    else one.fields.push(words)
    return true
  }

  #class(written: string): Class {
    const name = written.replace(/~[^~]+~$/, '').replaceAll('`', '')
    const known = this.classes.get(name)
    if (known !== undefined) return known
    const one: Class = {
      label: generics(readLabel(written.replaceAll('`', '')).join(' ')),
      kind: undefined,
      fields: [],
      methods: [],
    }
    this.classes.set(name, one)
    return one
  }

  #relation(line: string): boolean | undefined {
    const [, from, fromCount = '', written = '', toCount = '', to, words = ''] = RELATION.exec(line) ?? []
    const arrow = Object.hasOwn(ARROWS, written) ? ARROWS[written] : undefined
    if (from === undefined || to === undefined || arrow === undefined) return undefined
    for (const name of [from, to]) this.#class(name)
    const names = [from, to].map(name => name.replace(/~[^~]+~$/, '').replaceAll('`', ''))
    const counts = [fromCount, toCount].map(count => readLabel(count).join(' '))
    if (arrow.isTurned) {
      names.reverse()
      counts.reverse()
    }
    this.relations.push({
      ...{ from: names[0] ?? '', to: names[1] ?? '', counts: [counts[0] ?? '', counts[1] ?? ''] },
      ...{ arrow: arrow.arrow, end: arrow.end, label: readLabel(words).join(' ') },
    })
    return true
  }
}

/** `List~int~` is `List<int>`. */
const generics = (words: string): string => words.replace(/~([^~\s][^~]*)~/g, '<$1>')

/** Of bold letters, in parts of others. */
const BOLD = 1.08
const BESIDE = 16

function write({ classes, relations }: Reading): Draft {
  const standIns = new StandIns()
  const ids = new Map<string, string>()
  const written = ['classDiagram']
  for (const [name, { label, kind, fields, methods }] of classes) {
    const width = Math.max(widthOf(label) * NODE_SIZE * BOLD, widthOf(`<<${kind ?? ''}>>`) * EDGE_SIZE)
    const id = standIns.take([label], (width + 24 - BESIDE) / LETTER.node)
    ids.set(name, id)
    written.push(`class ${id} {`)
    if (kind !== undefined) written.push(`<<${standIns.take([kind], 1)}>>`)
    for (const [members, end] of [
      [fields, ''],
      [methods, '()'],
    ] as const)
      for (const member of members) {
        const [, words = '', mark = ''] = /^(.*?)([$*]?)$/.exec(member) ?? []
        written.push(
          `${standIns.take([words], (widthOf(words) * EDGE_SIZE + 8) / LETTER.member)}${mark}${end}`,
        )
      }
    written.push('}')
  }
  const ends = new Map<number, LineEnds>()
  const links: Link[] = []
  for (const [at, { from, to, arrow, end, label, counts }] of relations.entries()) {
    if (end !== undefined) ends.set(at, { end })
    const [one = '', other = ''] = counts.map(count => (count === '' ? '' : standIns.take([count], 1)))
    const words = label === '' ? '' : standIns.take([label], (widest([label]) * EDGE_SIZE) / LETTER.edge)
    const [quotedOne, quotedOther] = [one, other].map(word => (word === '' ? '' : `"${word}" `))
    const named = words === '' ? '' : ` : ${words}`
    written.push(`${ids.get(from)} ${quotedOne}${arrow} ${quotedOther}${ids.get(to)}${named}`)
    links.push({
      ...{ from: numberOf(ids.get(from) ?? ''), to: numberOf(ids.get(to) ?? '') },
      ...{ label: numberOf(words), counts: [numberOf(one), numberOf(other)] },
    })
  }
  return {
    kind: 'Class diagram',
    text: written.join('\n'),
    standIns,
    scale: { x: 1, y: 1 },
    ends,
    linesBetween: relations.length,
    links,
    labels: 'above',
    isVertical: true,
    names: [...classes.values()].map(({ label }) => label),
  }
}
