// Formulas: from KaTeX's MathML to the few shapes that the template draws.
import type { Element, ElementContent } from 'hast'
import { collapseSpaces } from './line-words.ts'
import type { Formula } from './nodes.ts'
import { elementsOf } from './writing.ts'

/** The template recurses into each level, and the typesetter fails if that is too deep. */
const DEPTH_MAX = 16

/** The formula of a `<math>`; undefined if it is too deep to be drawn. */
export function writeFormula(math: Element): Formula[] | undefined {
  const formula = writeAll(math.children)
  return depthOf(formula) > DEPTH_MAX ? undefined : formula
}

/** Its TeX, as KaTeX keeps it. */
export function sourceOf(math: Element): string {
  const annotation = elementsOf(math.children)
    .flatMap(({ children }) => elementsOf(children))
    .find(({ tagName }) => tagName === 'annotation')
  return annotation === undefined ? '' : textOf(annotation)
}

function depthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((most, each) => Math.max(most, depthOf(each)), 0)
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce<number>((most, each) => Math.max(most, depthOf(each)), 0)
}

function writeAll(nodes: readonly ElementContent[]): Formula[] {
  return elementsOf(nodes).flatMap(write)
}

const textOf = (node: Element): string =>
  node.children
    .map(child => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')

/** Invisible characters that say how others are read. */
const UNSEEN = /[\u2061-\u2064\u200b]/g

function write(node: Element): Formula[] {
  const [first, second, third] = elementsOf(node.children)
  const inside = () => writeAll(node.children)
  switch (node.tagName) {
    case 'annotation':
      return []
    case 'mi':
    case 'mo':
    case 'mn':
      return writeToken(node)
    case 'mtext':
    case 'ms':
      return [{ kind: 'words', text: textOf(node).replaceAll('\u00a0', ' ') }]
    case 'mspace':
      return [{ kind: 'space', em: lengthOf(node.properties.width) }]
    case 'mfrac':
      return [
        {
          kind: 'fraction',
          isLined: node.properties.linethickness !== '0px',
          over: only(first),
          below: only(second),
        },
      ]
    case 'msqrt':
      return [{ kind: 'root', inside: inside(), index: null }]
    case 'mroot':
      return [{ kind: 'root', inside: only(first), index: only(second) }]
    case 'msub':
      return [{ kind: 'scripts', base: only(first), sub: only(second), sup: null, isStacked: false }]
    case 'msup':
      return [{ kind: 'scripts', base: only(first), sub: null, sup: only(second), isStacked: false }]
    case 'msubsup':
      return [{ kind: 'scripts', base: only(first), sub: only(second), sup: only(third), isStacked: false }]
    case 'munder':
    case 'mover':
      return [writeStacked(node.tagName, first, second)]
    case 'munderover':
      return [{ kind: 'scripts', base: only(first), sub: only(second), sup: only(third), isStacked: true }]
    case 'mtable':
      return [
        {
          kind: 'matrix',
          align: String(node.properties.columnalign ?? ''),
          rows: elementsOf(node.children)
            .filter(({ tagName }) => tagName === 'mtr' || tagName === 'mlabeledtr')
            .map(row => elementsOf(row.children).map(cell => writeAll(cell.children))),
        },
      ]
    case 'mphantom':
      return [{ kind: 'hidden', inside: inside() }]
    case 'menclose':
      return [
        { kind: String(node.properties.notation).includes('strike') ? 'struck' : 'framed', inside: inside() },
      ]
    case 'mstyle':
      return writeStyled(node, inside())
    default:
      return isFenced(node) ? [{ kind: 'fenced', inside: inside() }] : inside()
  }
}

const only = (node: Element | undefined): Formula[] => (node === undefined ? [] : write(node))

/** One character is a sign; a longer name, such as `sin`, is upright; a number is as it is. */
function writeToken(node: Element): Formula[] {
  const text = collapseSpaces(textOf(node)).replaceAll(UNSEEN, '').trim()
  if (text === '') return []
  const style = String(node.properties.mathvariant ?? '')
  if (node.tagName === 'mn' && style === '') return [{ kind: 'words', text }]
  const signs = [...text]
  if (signs.length > 1 && node.tagName === 'mi' && style === '') return [{ kind: 'operator', text }]
  return signs.map(sign => ({ kind: 'sign', text: sign, style }))
}

const ACCENTS: ReadonlySet<string> = new Set([
  ...['^', 'ˆ', '~', '˜', '¯', 'ˉ', '‾', '˙', '¨', '⃗', '→', '←', '↔', 'ˇ', '˘', '`', 'ˋ', '´', 'ˊ', '˚'],
  ...['⏞', '⏟', '⎴', '⎵', '_', '\u2015'],
])

function writeStacked(name: string, base: Element | undefined, script: Element | undefined): Formula {
  const text = script?.tagName === 'mo' ? textOf(script).trim() : ''
  if (ACCENTS.has(text))
    return { kind: 'accent', accent: `${name === 'mover' ? 'over' : 'under'} ${text}`, base: only(base) }
  const at = name === 'mover' ? { sub: null, sup: only(script) } : { sub: only(script), sup: null }
  return { kind: 'scripts', base: only(base), ...at, isStacked: true }
}

/** Brackets that grow with what they hold. */
function isFenced(node: Element): boolean {
  const inside = elementsOf(node.children)
  const isFence = (one: Element | undefined) => one?.tagName === 'mo' && one.properties.fence === 'true'
  return node.tagName === 'mrow' && inside.length > 1 && (isFence(inside[0]) || isFence(inside.at(-1)))
}

const COLOUR = /^(?:#[0-9a-f]{6}|[a-z]{1,20})$/i

function writeStyled({ properties }: Element, inside: Formula[]): Formula[] {
  const colour = String(properties.mathcolor ?? '')
  return COLOUR.test(colour) ? [{ kind: 'coloured', colour, inside }] : inside
}

const SPACE_EM_MAX = 10

/** `0.2778em` → 0.2778. */
function lengthOf(value: unknown): number {
  const em = Number.parseFloat(String(value ?? ''))
  return Number.isFinite(em) ? Math.max(-SPACE_EM_MAX, Math.min(SPACE_EM_MAX, em)) : 0
}
