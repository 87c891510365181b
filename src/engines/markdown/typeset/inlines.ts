// Inlines: the parts of a line.
import type { Element, ElementContent } from 'hast'
import { isLinkScheme, schemeOf } from '../../../base/link-schemes.ts'
import { percentDecode } from '../../../base/percent-decode.ts'
import { type Drawn, type DrawnInline, drawnOf, type InlineNamed, isForScreens } from '../html/values.ts'
import { sourceOf, writeFormula } from './formulas.ts'
import { breakable, collapseSpaces } from './line-words.ts'
import type { Inline, Line, Picture } from './nodes.ts'
import { INLINE_DEPTH_MAX, textOf, type Writing } from './writing.ts'

type Styled = 'strong' | 'em' | 'strike' | 'under' | 'sup' | 'sub' | 'small' | 'mono' | 'key' | 'quote'

const STYLES: Readonly<Record<string, Styled>> = {
  ...{ strong: 'strong', b: 'strong', em: 'em', i: 'em', cite: 'em', dfn: 'em', var: 'em' },
  ...{ del: 'strike', s: 'strike', ins: 'under', u: 'under', sup: 'sup', sub: 'sub', small: 'small' },
  ...{ code: 'mono', samp: 'mono', kbd: 'key', q: 'quote' },
}

/** A line without white space at its ends. */
export function writeLine(nodes: readonly ElementContent[], writing: Writing): Line {
  return trimmed(nodes.flatMap(node => writeInline(node, writing)))
}

export const writeWords = (words: string, { wordMax }: Writing): Line =>
  trimmed(breakable(collapseSpaces(words), wordMax))

/** Parts that a stylesheet would separate. */
export const writeApart = ({ children }: Element, writing: Writing): Line =>
  children.flatMap((child, index): Line => [...(index > 0 ? [' '] : []), ...writeLine([child], writing)])

function writeInline(node: ElementContent, writing: Writing): Inline[] {
  if (node.type === 'text') return breakable(collapseSpaces(node.value), writing.wordMax)
  if (node.type !== 'element' || isForScreens(node)) return []
  if (writing.inlineDepth >= INLINE_DEPTH_MAX) return [collapseSpaces(textOf(node.children))]
  writing.inlineDepth += 1
  const id = writing.takeId(node)
  const written = writeElement(node, writing)
  writing.inlineDepth -= 1
  return id === undefined ? written : [{ kind: 'anchor', id }, ...written]
}

function writeElement(node: Element, writing: Writing): Inline[] {
  const inside = () => node.children.flatMap(child => writeInline(child, writing))
  const drawn = drawnOf(node)
  if (drawn !== undefined && isInline(drawn)) return writeDrawn(drawn, inside, writing)
  switch (node.tagName) {
    case 'br':
      return [{ kind: 'break' }]
    case 'wbr':
      return [{ kind: 'chance' }]
    case 'a':
      return writeLink(node, inside(), writing)
    case 'img':
      return writePictureInLine(node, writing)
    case 'input':
      return [node.properties.checked === true ? '☑ ' : '☐ ']
    case 'math':
      return [writeFormulaInLine(node, writing)]
    case 'mark':
      return [{ kind: 'paper', colour: 'paper-yellow', inside: inside() }]
    case 'p':
    case 'div':
      return [' ', ...inside(), ' ']
    default: {
      const style = Object.hasOwn(STYLES, node.tagName) ? STYLES[node.tagName] : undefined
      return style === undefined ? inside() : [{ kind: style, inside: inside() }]
    }
  }
}

type InlineWriters = {
  readonly [Name in DrawnInline['name']]: (
    drawn: InlineNamed<Name>,
    inside: () => Inline[],
    writing: Writing,
  ) => Inline[]
}

const WRITERS: InlineWriters = {
  icon({ icon }, _, { icons }) {
    icons.add(icon)
    return [{ kind: 'icon', name: icon }]
  },
  chip: ({ ground = 'paper-default' }, inside) => [{ kind: 'chip', colour: ground, inside: inside() }, ' '],
  coloured({ ink, paper }, inside) {
    const inked: Inline[] = ink === undefined ? inside() : [{ kind: 'ink', colour: ink, inside: inside() }]
    return paper === undefined ? inked : [{ kind: 'paper', colour: paper, inside: inked }]
  },
  checkmark: () => ['✓'],
  'missing-picture': (_, inside) => [{ kind: 'em', inside: inside() }],
}

const isInline = (drawn: Drawn): drawn is DrawnInline => Object.hasOwn(WRITERS, drawn.name)

function writeDrawn<Name extends DrawnInline['name']>(
  drawn: InlineNamed<Name>,
  inside: () => Inline[],
  writing: Writing,
): Inline[] {
  return WRITERS[drawn.name as Name](drawn, inside, writing)
}

/** The typesetter refuses some longer addresses. */
const ADDRESS_LENGTH_MAX = 4_000

export function writeLink({ properties }: Element, inside: Line, writing: Writing): Inline[] {
  const href = String(properties.href ?? '')
  if (href.startsWith('#')) {
    const to = percentDecode(href.slice(1))
    if (to === '') return [...inside]
    writing.targets.add(to)
    return [{ kind: 'jump', to, inside }]
  }
  // A PDF reader asks before it opens an application, as a browser does.
  return isLinkScheme(schemeOf(href) ?? '') && href.length <= ADDRESS_LENGTH_MAX
    ? [{ kind: 'link', url: href, inside }]
    : [...inside]
}

function writeFormulaInLine(math: Element, { wordMax }: Writing): Inline {
  const inside = writeFormula(math)
  return inside === undefined
    ? { kind: 'mono', inside: breakable(sourceOf(math), wordMax) }
    : { kind: 'formula', inside }
}

const LINE_POINTS = 12

function writePictureInLine(node: Element, writing: Writing): Inline[] {
  const picture = readPicture(node, writing)
  if (picture === undefined) return []
  const isHigh =
    drawnOf(node)?.name === 'line-high' || (picture.height === undefined && picture.share === undefined)
  return [{ kind: 'picture-in-line', picture: isHigh ? { ...picture, height: LINE_POINTS } : picture }]
}

/** A pixel of the reader is three quarters of a point (CSS Values 4, §6.2). */
export const POINTS_OF_PIXEL = 0.75

export function readPicture(node: Element, writing: Writing): Picture | undefined {
  const { src, alt, width, height } = node.properties
  if (typeof src !== 'string' || src === '' || isForScreens(node)) return undefined
  writing.pictures.add(src)
  const share = /^(\d{1,3})%$/.exec(String(width ?? ''))?.[1]
  const points = (pixels: unknown) => {
    const size = Number(pixels) * POINTS_OF_PIXEL
    return Number.isFinite(size) && size > 0 ? size : undefined
  }
  const [wide, high] = [points(width), points(height)]
  return {
    name: src,
    alt: String(alt ?? ''),
    ...(share === undefined ? {} : { share: Math.min(1, Number(share) / 100) }),
    ...(wide === undefined ? {} : { width: wide }),
    ...(high === undefined ? {} : { height: high }),
  }
}

function trimmed(line: readonly Inline[]): Line {
  const kept = [...line]
  while (typeof kept[0] === 'string' && kept[0].trimStart() === '') kept.shift()
  while (typeof kept.at(-1) === 'string' && String(kept.at(-1)).trimEnd() === '') kept.pop()
  const [first, last] = [kept[0], kept.at(-1)]
  if (typeof first === 'string') kept[0] = first.trimStart()
  if (typeof last === 'string') kept[kept.length - 1] = String(kept.at(-1)).trimEnd()
  return kept
}

/** Whether a line shows nothing. */
export const isEmptyLine = (line: Line): boolean =>
  line.every(inline => (typeof inline === 'string' ? inline.trim() === '' : inline.kind === 'chance'))
