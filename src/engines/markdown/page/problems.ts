// What the text of a page says wrongly by itself, wherever it stands: tags that are none, attributes that mean nothing,
// pictures without a text in their place. What depends on other pages and files, the renderer says (html/links.ts).
import { blockNamed, schemaOf } from '../blocks/schemas.ts'
import { blockOf, pictureOf, type TagBlock } from '../reading/reading.ts'
import { type MeaninglessAttribute, meaninglessAttributes } from '../schema/schema.ts'
import {
  childrenOf,
  isNamed,
  type LoneTag,
  type Node,
  type Position,
  plainLine,
  type Root,
} from '../syntax/syntax.ts'

export type TextProblem = {
  readonly code:
    | ('unknown_tag' | 'lone_tag' | 'unknown_attribute' | 'unknown_value')
    | ('missing_address' | 'missing_alternative')
  readonly message: string
  /** The name or the value that it is about; empty for a picture. */
  readonly about: string
  /** What may be written instead, where there are few. */
  readonly allowed?: readonly string[]
  readonly position: Position
}

/** In no order. */
export const textProblems = (root: Root): TextProblem[] => [
  ...root.loneTags.map(problemOfTag),
  ...problemsBelow(root, false),
]

function problemOfTag({ name, isEnd, position }: LoneTag): TextProblem {
  const written = `{% ${isEnd ? 'end' : ''}${name} %}`
  if (blockNamed(name) === undefined)
    return {
      ...{ code: 'unknown_tag', about: name, position },
      message: `There is no block called ${name}; it is shown as it is written`,
    }
  const missing = isEnd ? `{% ${name} %} before it` : `{% end${name} %} after it`
  return { code: 'lone_tag', about: written, position, message: `${written} has no ${missing}` }
}

/** `isNamed`: a caption says what the pictures show. */
function problemsBelow(parent: Node, isCaptioned: boolean): TextProblem[] {
  return childrenOf(parent).flatMap(node => {
    const picture = problemOfPicture(node, isCaptioned)
    if (picture !== 'none') return picture
    const block = blockOf(node)
    return [
      ...(block === undefined ? [] : problemsOfBlock(block)),
      ...problemsBelow(node, isNamed(node, 'figure') ? hasCaption(node) : isCaptioned),
    ]
  })
}

const hasCaption = (figure: Node): boolean =>
  childrenOf(figure).some(child => isNamed(child, 'figcaption') && plainLine(child.children).trim() !== '')

/** 'none' for anything but a picture. */
function problemOfPicture(node: Node, isCaptioned: boolean): readonly TextProblem[] | 'none' {
  const picture = pictureOf(node)
  if (picture === undefined) return 'none'
  const { node: shown, alt, title, isDrawing } = picture
  const isOrnament = shown.type === 'element' && ORNAMENT.has((shown.attributes.role ?? '').trim())
  if (alt.trim() !== '' || title !== undefined || isCaptioned || isDrawing || isOrnament) return []
  return [
    {
      ...{ code: 'missing_alternative', about: picture.src, position: node.position },
      message: 'This picture has no alternative text',
    },
  ]
}

/** Roles of pictures that say nothing (WAI-ARIA 1.2). */
const ORNAMENT: ReadonlySet<string> = new Set(['none', 'presentation'])

/** A block with an argument has no attributes, and an integration has any. */
function problemsOfBlock(block: TagBlock): TextProblem[] {
  const { name, tag, node } = block
  const { attributes, argument } = schemaOf(name)
  if (name === 'integration') return []
  const missing = problemOfMissingAddress(block)
  if (argument !== undefined) return missing
  const meaningless = meaninglessAttributes(tag.attributes, attributes).map(one => ({
    ...problemOfAttribute(one),
    position: tag.ranges[one.name] ?? node.position,
  }))
  return [...missing, ...meaningless]
}

/** A block that shows something else shows nothing without its address or name. Some have it in what they enclose. */
function problemOfMissingAddress({ name, data, tag, node }: TagBlock): TextProblem[] {
  const { attributes, argument, repeatsAddress } = schemaOf(name)
  const named = argument === undefined ? attributes : { [argument.name]: argument.attribute }
  const keys = Object.entries(named).flatMap(([key, { kind }]) =>
    kind === 'address' || kind === 'reference' ? [key] : [],
  )
  if (keys.length === 0 || keys.some(key => Object.hasOwn(data, key))) return []
  if (repeatsAddress === true && tag.children.length > 0) return []
  const position = { start: node.position.start, end: tag.children[0]?.position.start ?? node.position.end }
  const message = `{% ${tag.name} %} shows nothing: it does not say what, by ${keys.join(' or ')}`
  return [{ code: 'missing_address', about: tag.name, message, position }]
}

function problemOfAttribute({ name, value, attribute }: MeaninglessAttribute): Omit<TextProblem, 'position'> {
  if (attribute === undefined)
    return {
      ...{ code: 'unknown_attribute', about: name },
      message: `This block has no attribute ${name}; it is kept, and changes nothing`,
    }
  const allowed = attribute.kind === 'choice' ? { allowed: attribute.values } : {}
  return {
    ...{ code: 'unknown_value', about: String(value), ...allowed },
    message: `${name} has no such value`,
  }
}
