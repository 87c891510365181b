// Whether a value from outside is a rich document: every node known, with the data it needs, under a parent that
// may hold it. Iterative and bounded, because documents come from outside.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Fields, isNameOf, isObject } from '../../../base/objects.ts'
import { TOP_LEVEL } from './allowed-children.ts'
import { BLOCKS, INLINES, type NodeRule } from './rules.ts'
import { MARKS } from './values.ts'

/** Deepest nesting of nodes and fragments, the document's own nodes being the first level. */
export const NODE_DEPTH_MAX = 128
/** Most values (objects, arrays, strings, numbers …) in a document. */
export const VALUES_MAX = 10_000_000
/** A node is two JSON levels, itself and the list it is in; the data of the deepest node may go deeper. */
const JSON_DEPTH_MAX = NODE_DEPTH_MAX * 2 + 64
const PROBLEMS_MAX = 20

/** What is wrong, and where: `at` is a JSON pointer into the document. */
export type DocumentProblem = { readonly at: string; readonly message: string }

/** The problems of a value that should be a document, at most 20; none means that it is a `JSONDocument`. */
export function checkDocument(document: unknown): DocumentProblem[] {
  const bound = brokenBound(document)
  if (bound !== undefined) return [{ at: '', message: bound }]
  const check = new Check()
  check.document(document)
  return check.problems
}

/** A node to be checked, and the children that its parent may have. */
type UncheckedNode = {
  readonly value: unknown
  readonly at: string
  readonly depth: number
  readonly parent: Holder
}

type Holder = {
  readonly name: string
  readonly holds: readonly string[]
  readonly least?: number
  readonly most?: number
}

class Check {
  readonly problems: DocumentProblem[] = []
  readonly #waiting: UncheckedNode[] = []

  document(value: unknown): void {
    if (!isObject(value)) {
      this.#say('', 'a document is an object')
      return
    }
    if (value.object !== 'document') this.#say('/object', 'must be "document"')
    if (!isObject(value.data)) this.#say('/data', 'must be an object')
    else if (value.data.schemaVersion !== undefined && !Number.isInteger(value.data.schemaVersion)) {
      this.#say('/data/schemaVersion', 'must be an integer')
    }
    this.#nodes(value.nodes, '/nodes', 1, { name: 'the document', holds: TOP_LEVEL })
    while (this.problems.length < PROBLEMS_MAX) {
      const next = this.#waiting.pop()
      if (next === undefined) return
      this.#node(next)
    }
  }

  #say(at: string, message: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ at, message })
  }

  #nodes(nodes: unknown, at: string, depth: number, holder: Holder): void {
    if (!Array.isArray(nodes)) {
      this.#say(at, 'must be an array')
      return
    }
    const { name, least = 0, most = Number.POSITIVE_INFINITY } = holder
    if (nodes.length < least) this.#say(at, `${name} needs at least ${least}`)
    if (nodes.length > most) this.#say(at, `${name} holds at most ${most}`)
    if (depth > NODE_DEPTH_MAX && nodes.length > 0) {
      this.#say(at, `nodes nest at most ${NODE_DEPTH_MAX} deep`)
      return
    }
    // The last is pushed first, so that problems come in reading order.
    for (let index = nodes.length - 1; index >= 0; index--) {
      this.#waiting.push({ value: nodes[index], at: `${at}/${index}`, depth, parent: holder })
    }
  }

  #node({ value, at, depth, parent }: UncheckedNode): void {
    if (!isObject(value)) {
      this.#say(at, 'a node is an object')
      return
    }
    if (value.key !== undefined && typeof value.key !== 'string') this.#say(`${at}/key`, 'must be a string')
    const name = value.object === 'text' ? 'text' : value.type
    const rule = ruleOf(value)
    if (typeof name !== 'string' || (rule === undefined && name !== 'text')) {
      this.#say(at, 'is not a known block, inline or text')
      return
    }
    if (!parent.holds.includes(name)) this.#say(at, `${name} is not allowed in ${parent.name}`)
    if (rule === undefined) {
      this.#leaves(value.leaves, `${at}/leaves`)
      return
    }
    if (value.isVoid === undefined ? rule.needsVoid : value.isVoid !== rule.isVoid) {
      this.#say(`${at}/isVoid`, `must be ${rule.isVoid} for ${name}`)
    }
    if (value.data !== undefined || rule.needsData) this.#data(rule.data, value.data, `${at}/data`)
    if (isObject(value.data)) this.#beyondSchema(name, value.data, `${at}/data`)
    // Fragments are pushed first, so that a node's own nodes are checked before them.
    this.#fragments(value, at, depth, name, rule)
    if (rule.holds !== undefined) {
      this.#nodes(value.nodes, `${at}/nodes`, depth + 1, { ...rule, name, holds: rule.holds })
    } else if (value.nodes !== undefined && !(Array.isArray(value.nodes) && value.nodes.length === 0)) {
      this.#say(`${at}/nodes`, `${name} holds no nodes`)
    }
  }

  /** Rules that relate members of a node's data, which its schema cannot express. */
  #beyondSchema(name: string, data: Fields, at: string): void {
    if (name === 'button' && data.ref === undefined && data.action === undefined) {
      this.#say(at, 'a button needs a ref or an action')
    }
    if (
      name === 'table' &&
      isObject(data.view) &&
      isObject(data.definition) &&
      Array.isArray(data.view.columns)
    ) {
      const { definition } = data
      const unknown = data.view.columns.find(
        column => typeof column !== 'string' || !Object.hasOwn(definition, column),
      )
      if (unknown !== undefined) this.#say(`${at}/view/columns`, 'names a column that is not defined')
    }
  }

  #fragments(value: Fields, at: string, depth: number, name: string, rule: NodeRule): void {
    const slots = rule.fragments ?? {}
    const fragments = value.fragments ?? []
    if (!Array.isArray(fragments)) {
      this.#say(`${at}/fragments`, 'must be an array')
      return
    }
    const filled = new Set<string>()
    for (const [index, fragment] of fragments.entries()) {
      const where = `${at}/fragments/${index}`
      if (!isObject(fragment) || fragment.object !== 'fragment' || typeof fragment.fragment !== 'string') {
        this.#say(where, 'a fragment is an object that names its slot')
        continue
      }
      // An annotation names its body by `type`, every other node by slot.
      const slot = [fragment.fragment, fragment.type, '*'].find(
        (one): one is string => typeof one === 'string' && Object.hasOwn(slots, one),
      )
      const found = slot === undefined ? undefined : slots[slot]
      if (slot === undefined || found === undefined) {
        this.#say(where, `${name} has no such fragment`)
        continue
      }
      const identity = slot === '*' ? fragment.fragment : slot
      if (filled.has(identity)) this.#say(where, 'this slot is filled twice')
      filled.add(identity)
      const holder = { ...found, name: identity, least: found.isRequired ? 1 : 0 }
      this.#nodes(fragment.nodes, `${where}/nodes`, depth + 2, holder)
    }
    for (const slot of Object.keys(slots)) {
      if (slots[slot]?.isRequired && !filled.has(slot)) this.#say(at, `${name} needs the fragment "${slot}"`)
    }
  }

  #leaves(leaves: unknown, at: string): void {
    if (!Array.isArray(leaves)) {
      this.#say(at, 'must be an array')
      return
    }
    for (const [index, leaf] of leaves.entries()) {
      if (this.problems.length >= PROBLEMS_MAX) return
      if (
        !isObject(leaf) ||
        leaf.object !== 'leaf' ||
        typeof leaf.text !== 'string' ||
        !Array.isArray(leaf.marks)
      ) {
        this.#say(`${at}/${index}`, 'a leaf has "object": "leaf", a text and a list of marks')
        continue
      }
      for (const [nth, mark] of leaf.marks.entries()) this.#mark(mark, `${at}/${index}/marks/${nth}`)
    }
  }

  #mark(mark: unknown, at: string): void {
    const type = isObject(mark) && mark.object === 'mark' ? String(mark.type) : ''
    if (!isObject(mark) || !isNameOf(MARKS, type)) {
      this.#say(at, 'is not a known mark')
      return
    }
    const data = MARKS[type]
    if (data !== undefined) this.#data(data, mark.data, `${at}/data`)
  }

  #data(schema: TSchema, value: unknown, at: string): void {
    const validator = validatorOf(schema)
    if (validator.Check(value)) return
    const [error] = validator.Errors(value)
    this.#say(`${at}${error?.instancePath ?? ''}`, error?.message ?? 'is not what this node needs')
  }
}

function ruleOf(value: Fields): NodeRule | undefined {
  const table: { readonly [type: string]: NodeRule } = value.object === 'block' ? BLOCKS : INLINES
  if (value.object !== 'block' && value.object !== 'inline') return undefined
  return typeof value.type === 'string' && Object.hasOwn(table, value.type) ? table[value.type] : undefined
}

// Compiled at first use: a server that only reads documents never pays for them.
const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const compiled = Compile(schema)
  validators.set(schema, compiled)
  return compiled
}

/** The bound that a value breaks, if any; visits it level by level, without recursion. */
function brokenBound(value: unknown): string | undefined {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_DEPTH_MAX) return `a document nests at most ${NODE_DEPTH_MAX} nodes deep`
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one)
      count += members.length
      if (count > VALUES_MAX) return `a document consists of at most ${VALUES_MAX} values`
      for (const member of members) next.push(member)
    }
    level = next
  }
  return undefined
}
