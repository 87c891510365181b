// Entity relationship diagrams: https://mermaid.js.org/syntax/entityRelationshipDiagram.html.
import { type Draft, EDGE_SIZE, LETTER, type Link, NODE_SIZE } from './draft.ts'
import { Scanner } from './scanner.ts'
import { numberOf, StandIns } from './stand-ins.ts'
import { type DiagramText, unquoted } from './text.ts'
import { readLabel, widthOf } from './words.ts'

export const isEntities = (head: string): boolean => head === 'erDiagram'

type Attribute = { readonly type: string; readonly name: string; readonly keys: string }
type Entity = { label: string; readonly attributes: Attribute[] }
type Relation = {
  readonly from: string
  readonly to: string
  /** How many of each, as it is written at the right end of a line. */
  readonly feet: readonly [from: string, to: string]
  readonly between: string
  readonly label: string
}

const ENTITIES_MAX = 60
const ATTRIBUTES_MAX = 400
const RELATIONS_MAX = 120

/** What says how it looks, or what a click does: it has the colours of the page that it is on, and leads nowhere. */
const DECORATION = /^(?:style|classDef|class) /

/** Undefined if it cannot be drawn. */
export function draftEntities({ lines }: DiagramText): Draft | undefined {
  const reading = new Reading()
  if (!lines.every(line => DECORATION.test(line) || reading.line(line)) || !reading.isWhole) return undefined
  return write(reading)
}

const NAMED = '("[^"]+"|[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]*)(?::::[\\p{L}\\p{N}_-]+)?'
const ENTITY = new RegExp(`^${NAMED} ?(?:\\[([^\\]]+)\\])? ?(\\{.*)?$`, 'u')
const RELATION = new RegExp(
  `^${NAMED}(?: ?(\\|\\||\\|o|\\}\\||\\}o)| (o\\||o\\{))(--|\\.\\.)(\\|\\||o\\||\\|o|\\|\\{|o\\{) ?${NAMED} ?(?::(.*))?$`,
  'u',
)
const ATTRIBUTE =
  / ?([^\s"{}]+) ([^\s"{}]+)(?: ((?:PK|FK|UK)(?: ?, ?(?:PK|FK|UK))*)(?![^\s"]))?(?: "([^"]*)")?/y

/** How many of one thing there are, as it is written at the left end of a line, and at the right one. */
const TURNED: Readonly<Record<string, string>> = { '||': '||', '|o': 'o|', '}|': '|{', '}o': 'o{' }
const turned = (sign: string): string => TURNED[sign] ?? sign

class Reading {
  readonly entities = new Map<string, Entity>()
  readonly relations: Relation[] = []
  #open: Entity | undefined
  #attributes = 0

  get isWhole(): boolean {
    return (
      this.#open === undefined &&
      this.entities.size > 0 &&
      this.entities.size <= ENTITIES_MAX &&
      this.#attributes <= ATTRIBUTES_MAX &&
      this.relations.length <= RELATIONS_MAX
    )
  }

  /** Whether it was understood. */
  line(line: string): boolean {
    if (this.#open !== undefined) return this.#inside(this.#open, line)
    if (/^direction (?:TB|TD|BT|LR|RL)$/.test(line)) return true
    const [, name, alias, brace] = ENTITY.exec(line) ?? []
    if (name === undefined) return this.#relation(line)
    const entity = this.#entity(name)
    if (alias !== undefined) entity.label = readLabel(unquoted(alias)).join(' ')
    if (brace === undefined) return true
    this.#open = entity
    return brace === '{' || this.#inside(entity, brace.slice(1).trim())
  }

  #inside(open: Entity, line: string): boolean {
    // Several may be on one line, and so may the end.
    const scanner = new Scanner(line)
    while (!scanner.isAtEnd) {
      scanner.skipSpaces()
      if (scanner.take('}')) this.#open = undefined
      else if (this.#open === undefined || !this.#attribute(open, scanner.match(ATTRIBUTE))) return false
    }
    return true
  }

  #attribute(open: Entity, [, type, name = '', keys = '', comment = '']: readonly string[] = []): boolean {
    if (type === undefined) return false
    this.#attributes += 1
    const words = readLabel(comment).join(' ')
    open.attributes.push({
      type: readLabel(type).join(' '),
      name: readLabel(name).join(' ') + (words === '' ? '' : ` · ${words}`),
      keys: keys.replace(/ /g, ''),
    })
    return true
  }

  #entity(written: string): Entity {
    const name = unquoted(written)
    const known = this.entities.get(name)
    if (known !== undefined) return known
    const entity: Entity = { label: readLabel(name).join(' '), attributes: [] }
    this.entities.set(name, entity)
    return entity
  }

  /** The library lays out one line from a thing to another, so a second one goes the other way. */
  #relation(line: string): boolean {
    const [, one, tight, loose, between = '', far = '', other, words = ''] = RELATION.exec(line) ?? []
    const near = tight ?? loose ?? ''
    if (one === undefined || other === undefined) return false
    for (const name of [one, other]) this.#entity(name)
    const [from, to] = [unquoted(one), unquoted(other)]
    const label = readLabel(unquoted(words.trim())).join(' ')
    const feet = [turned(near), far === '|o' ? 'o|' : far] as const
    const has = (a: string, b: string) => this.relations.some(each => each.from === a && each.to === b)
    if (!has(from, to)) this.relations.push({ from, to, feet, between, label })
    else if (has(to, from)) return false
    else this.relations.push({ from: to, to: from, feet: [feet[1], feet[0]], between, label })
    return true
  }
}

/** Of bold letters, in parts of others. */
const BOLD = 1.08

function write({ entities, relations }: Reading): Draft {
  const standIns = new StandIns()
  const ids = new Map<string, string>()
  const written = ['erDiagram']
  for (const [name, { label, attributes }] of entities) {
    const id = standIns.take([label], (widthOf(label) * NODE_SIZE * BOLD) / LETTER.node)
    ids.set(name, id)
    written.push(`${id} {`)
    for (const { type, name: named, keys } of attributes) {
      const [of, as] = [type, named].map(words =>
        standIns.take([words], (widthOf(words) * EDGE_SIZE) / LETTER.member),
      )
      written.push(`${of} ${as} ${keys.replaceAll(',', ' ')}`)
    }
    written.push('}')
  }
  const links: Link[] = []
  for (const { from, to, feet, between, label } of relations) {
    const words = standIns.take([label], (widthOf(label) * EDGE_SIZE + 30) / LETTER.edge)
    // The signs at the ends are drawn here.
    written.push(`${ids.get(from)} ||${between}|| ${ids.get(to)} : ${words}`)
    links.push({
      ...{ from: numberOf(ids.get(from) ?? ''), to: numberOf(ids.get(to) ?? '') },
      ...{ label: numberOf(words), feet },
    })
  }
  return {
    kind: 'Entity relationship diagram',
    text: written.join('\n'),
    standIns,
    scale: { x: 1, y: 1 },
    linesBetween: relations.length,
    links,
    labels: 'halfway',
    isVertical: false,
    names: [...entities.values()].map(({ label }) => label),
  }
}
