// HTML in lines: marks, links, buttons, icons and the other forms in which GitBook writes its inlines.
import { type Element, hasClass, isNamed, plainLine } from '../syntax/syntax.ts'
import { colorsOf } from './colors.ts'
import { Line } from './line.ts'
import { isDerived, putEmoji, putImage, putLink } from './links.ts'
import { type InlineData, inline, type PlainMark } from './model.ts'
import { darkTwin } from './pictures.ts'
import { colored, marked, type Style, type Writer } from './style.ts'

const MARK_OF: { readonly [name: string]: PlainMark } = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  cite: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  samp: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
}
/** Their text is read by machines. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'svg'])
/** Blocks: in a line they begin a new one. */
const BREAKING: ReadonlySet<string> = new Set(
  `p div li ul ol h1 h2 h3 h4 h5 h6 table tr pre blockquote section article header footer figure figcaption details
  summary dl dt dd`.split(/\s+/),
)

export const isSilent = (name: string): boolean => SILENT.has(name)

/** Writes an element in a line. */
export function writeElement(node: Element, line: Line, style: Style, writer: Writer): void {
  const { name, attributes, children } = node
  if (isSilent(name)) return
  if (name === 'br') {
    line.breakLine(style.marks)
    return
  }
  if (name === 'img') {
    writeImage(node, undefined, line, writer)
    return
  }
  const inside = name === 'picture' ? children.find(child => isNamed(child, 'img')) : undefined
  if (inside !== undefined) {
    writeImage(inside, darkTwin(node), line, writer)
    return
  }
  if (name === 'span' && hasClass(node, 'math')) {
    const formula = plainLine(children)
    if (formula !== '') line.put(inline('inline-math', { formula }))
    return
  }
  if (name === 'a') {
    writeAnchor(node, line, style, writer)
    return
  }
  if (name === 'button' && hasClass(node, 'button')) {
    putButton(node, line, style, writer)
    return
  }
  if (name === 'mark') {
    writer.write(children, line, colored(style, attributes.style))
    return
  }
  if (name === 'i' && putIcon(attributes, line)) return
  if (name === 'code' && hasClass(node, 'expression')) {
    line.put(inline('expression', { expression: plainLine(children) }))
    return
  }
  const code = attributes['data-tag'] === 'emoji' ? attributes['data-code'] : undefined
  if (code !== undefined) {
    putEmoji(code.toLowerCase(), line, style)
    return
  }
  if (BREAKING.has(name) && !line.isBlank) line.breakLine([])
  const mark = MARK_OF[name]
  writer.write(children, line, mark === undefined ? style : marked(style, mark))
  // Cells of one row are words apart.
  if (name === 'td' || name === 'th') line.write(' ', style.marks)
}

function writeImage({ attributes }: Element, dark: string | undefined, line: Line, writer: Writer): void {
  const { src = '', alt, title } = attributes
  const size = attributes['data-size']
  const image = {
    src,
    ...(alt ? { alt } : {}),
    ...(title ? { title } : {}),
    ...(size ? { size } : {}),
    ...(dark === undefined ? {} : { dark }),
  }
  putImage(image, line, writer.conversion)
}

function writeAnchor(node: Element, line: Line, style: Style, writer: Writer): void {
  const { attributes, children } = node
  const { href } = attributes
  if (hasClass(node, 'button')) putButton(node, line, style, writer)
  else if (Object.hasOwn(attributes, 'data-footnote-ref')) {
    const inner = new Line()
    writer.write(children, inner, style)
    const body = writer.conversion.note((href ?? '').replace(/^#(?:user-content-)?fn-?/, ''))
    if (body !== undefined) inner.annotateAll(body)
    line.append(inner)
  } else if (href === undefined || isAnchorOnly(node)) writer.write(children, line, style)
  else if (Object.hasOwn(attributes, 'data-mention') && isDerived(plainLine(children), href)) {
    line.put(inline('mention', { ref: writer.conversion.reference(href) }))
  } else putLink(children, href, line, style, writer)
}

/** `<a href="#setup" id="setup"></a>` names a place and shows nothing. */
const isAnchorOnly = (node: Element): boolean =>
  node.name === 'a' && node.attributes.id !== undefined && node.children.length === 0

function putButton(node: Element, line: Line, style: Style, writer: Writer): void {
  const { attributes } = node
  const label = plainLine(node.children)
  const action = attributes['data-action']
  const query = attributes['data-query']
  // A button that does nothing is its label.
  if (attributes.href === undefined && action === undefined) {
    line.write(label, style.marks)
    return
  }
  const data: InlineData<'button'> = {
    label,
    kind: hasClass(node, 'secondary') ? 'secondary' : 'primary',
  }
  const icon = attributes['data-icon']
  if (icon !== undefined && icon !== '') data.icon = icon.slice(0, 50)
  if (attributes['data-size'] !== undefined) data.size = attributes['data-size']
  if (attributes.href !== undefined) data.ref = writer.conversion.reference(attributes.href)
  else data.action = { action, ...(query === undefined ? {} : { query }) }
  line.put(inline('button', data))
}

/** Words of a class that say how an icon is drawn, not which one it is. */
const ICON_STYLES: ReadonlySet<string> = new Set(
  'fa-solid fa-regular fa-light fa-thin fa-duotone fa-brands'.split(' '),
)

function putIcon(attributes: Element['attributes'], line: Line): boolean {
  const classes = (attributes.class ?? '').split(/\s+/)
  const icon = classes.find(name => name.startsWith('fa-') && name.length > 3 && !ICON_STYLES.has(name))
  if (icon === undefined) return false
  const colors = colorsOf(attributes.style)
  line.put(inline('icon', { icon: icon.slice(3), ...(colors === undefined ? {} : { color: colors.text }) }))
  return true
}
