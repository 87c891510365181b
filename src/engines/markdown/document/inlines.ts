// Lines of text: Markdown's inlines and the HTML that stands in lines, as leaves with marks and as inlines.
import { childrenOf, type Element, type Html, type Link, type Node, type Tag } from '../ast.ts'
import { renderEmoji } from '../html/emoji.ts'
import { plainLine } from '../text.ts'
import { colorsOf } from './colors.ts'
import { splitEmojis } from './emoji.ts'
import { isHtmlName } from './html-names.ts'
import { Line } from './line.ts'
import { type Inline, type InlineData, inline, type Mark, type PlainMark, type Text } from './model.ts'
import type { Reading } from './reading.ts'

/** What the place in the line adds: the marks around it, and whether it is inside a link. */
type Style = { readonly marks: readonly Mark[]; readonly isLinked: boolean }

const PLAIN: Style = { marks: [], isLinked: false }

/** Nodes as one line, without white space at the ends; blocks among them become parts of the line. */
export function readLine(nodes: readonly Node[], reading: Reading): (Text | Inline)[] {
  const line = new Line()
  writeAll(nodes, line, PLAIN, reading)
  return line.finish()
}

function writeAll(nodes: readonly Node[], line: Line, style: Style, reading: Reading): void {
  for (const node of nodes) write(node, line, style, reading)
}

function write(node: Node, line: Line, style: Style, reading: Reading): void {
  switch (node.type) {
    case 'text':
      writeText(node.value, line, style)
      return
    case 'strong':
      writeMarked('bold', node, line, style, reading)
      return
    case 'emphasis':
      writeMarked('italic', node, line, style, reading)
      return
    case 'delete':
      writeMarked('strikethrough', node, line, style, reading)
      return
    case 'inlineCode':
      line.write(node.value, marked(style, 'code').marks)
      return
    case 'inlineMath':
    case 'math':
      line.put(inline('inline-math', { formula: node.value }))
      return
    case 'break':
      line.breakLine(style.marks)
      return
    case 'image':
      if (node.reference !== null && !reading.mayRepeat(node.url.length + (node.title?.length ?? 0))) {
        line.write(node.alt, style.marks)
        return
      }
      putImage(
        { src: node.url, alt: node.alt, ...(node.title === null ? {} : { title: node.title }) },
        line,
        reading,
      )
      return
    case 'link':
      writeLink(node, line, style, reading)
      return
    case 'footnoteReference':
      writeNote(node.identifier, node.label, line, reading)
      return
    case 'element':
      writeElement(node, line, style, reading)
      return
    case 'tag':
      writeTag(node, line, style, reading)
      return
    case 'html':
      line.write(textOfHtml(node), style.marks)
      return
    case 'code':
      writeApart(() => line.write(node.value, marked(style, 'code').marks), line)
      return
    case 'yaml':
    case 'definition':
    case 'footnoteDefinition':
    case 'thematicBreak':
      return
    default:
      // A block inside a line: its words go on, with a break before them.
      writeApart(() => writeAll(childrenOf(node), line, style, reading), line)
  }
}

function writeApart(content: () => void, line: Line): void {
  if (!line.isBlank) line.breakLine([])
  content()
}

const marked = (style: Style, type: PlainMark): Style =>
  style.marks.some(mark => mark.type === type)
    ? style
    : { ...style, marks: [...style.marks, { object: 'mark', type }] }

function writeMarked(type: PlainMark, node: Node, line: Line, style: Style, reading: Reading): void {
  writeAll(childrenOf(node), line, marked(style, type), reading)
}

// ---- text ------------------------------------------------------------------------------------------------

/** Variables of the space, the page and the visitor; braces around anything else are text, as in GitBook. */
const EXPRESSION = /\{\{\s*((?:space|page|visitor)\.[^{}\n]{1,1000}?)\s*\}\}/g

function writeText(value: string, line: Line, style: Style): void {
  const flowing = value.replace(/[ \t]*(?:\r\n?|\n)[ \t]*/g, ' ')
  let from = 0
  // A link cannot hold an expression, so there it stays text.
  if (!style.isLinked && flowing.includes('{{')) {
    for (const match of flowing.matchAll(EXPRESSION)) {
      writeWords(flowing.slice(from, match.index), line, style)
      line.put(inline('expression', { expression: match[1]! }))
      from = match.index + match[0].length
    }
  }
  writeWords(flowing.slice(from), line, style)
}

function writeWords(value: string, line: Line, style: Style): void {
  for (const part of splitEmojis(value)) {
    if ('code' in part) putEmoji(part.code, line, style)
    else line.write(part.text, style.marks)
  }
}

function putEmoji(code: string, line: Line, style: Style): void {
  if (style.isLinked) line.write(renderEmoji(code) ?? '', style.marks)
  else line.put(inline('emoji', { code }))
}

// ---- links, notes, images --------------------------------------------------------------------------------

function writeLink(node: Link, line: Line, style: Style, reading: Reading): void {
  if (node.reference !== null && !reading.mayRepeat(node.url.length)) {
    writeAll(node.children, line, style, reading)
  } else if (node.title === 'mention' && isDerived(plainLine(node.children), node.url)) {
    line.put(inline('mention', { ref: reading.reference(node.url) }))
  } else putLink(node.children, node.url, line, style, reading)
}

/** A mention's words come from its destination; a label of the writer's own makes it a link. */
const isDerived = (label: string, destination: string): boolean =>
  label === 'Broken link' || destination.toLowerCase().includes(label.toLowerCase())

function putLink(
  children: readonly Node[],
  destination: string,
  line: Line,
  style: Style,
  reading: Reading,
): void {
  if (style.isLinked) {
    writeAll(children, line, style, reading)
    return
  }
  const inner = new Line()
  writeAll(children, inner, { ...style, isLinked: true }, reading)
  if (inner.isEmpty) inner.write(destination, style.marks)
  inner.linkTo(reading.reference(destination))
  line.append(inner)
}

/** Puts the note at the words before it; a note that cannot stand here stays visible as its label. */
function writeNote(identifier: string, label: string, line: Line, reading: Reading): void {
  const body = reading.note(identifier)
  if (body === undefined) line.write(`[^${label}]`, [])
  else line.annotate(label, body)
}

type ImageAttributes = {
  readonly src: string
  readonly alt?: string
  readonly title?: string
  readonly size?: string
}

function putImage({ src, alt, title, size }: ImageAttributes, line: Line, reading: Reading): void {
  const data: InlineData<'inline-image'> = { ref: reading.media(src) }
  if (alt !== undefined && alt !== '') data.alt = alt
  if (title !== undefined && title !== '') data.caption = title
  if (size === 'line' || size === 'original') data.size = size
  line.put(inline('inline-image', data))
}

// ---- HTML ------------------------------------------------------------------------------------------------

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
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'svg'])
const BREAKING: ReadonlySet<string> = new Set([
  ...['p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'tr', 'pre', 'blockquote'],
  ...[
    'section',
    'article',
    'header',
    'footer',
    'figure',
    'figcaption',
    'details',
    'summary',
    'dl',
    'dt',
    'dd',
  ],
])

export const isSilent = (name: string): boolean => SILENT.has(name)

function writeElement(node: Element, line: Line, style: Style, reading: Reading): void {
  const { name, attributes, children } = node
  if (isSilent(name)) return
  if (name === 'br') {
    line.breakLine(style.marks)
    return
  }
  if (name === 'img') {
    const { src = '', alt, title } = attributes
    const size = attributes['data-size']
    putImage(
      { src, ...(alt ? { alt } : {}), ...(title ? { title } : {}), ...(size ? { size } : {}) },
      line,
      reading,
    )
    return
  }
  if (name === 'a') {
    writeAnchor(node, line, style, reading)
    return
  }
  if (name === 'button' && hasClass(attributes, 'button')) {
    putButton(node, line, style, reading)
    return
  }
  if (name === 'mark') {
    writeAll(children, line, colored(style, attributes.style), reading)
    return
  }
  if (name === 'i' && putIcon(attributes, line)) return
  if (name === 'code' && hasClass(attributes, 'expression') && !style.isLinked) {
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
  writeAll(children, line, mark === undefined ? style : marked(style, mark), reading)
  // Cells of one row are words apart.
  if (name === 'td' || name === 'th') line.write(' ', style.marks)
}

function colored(style: Style, css: string | undefined): Style {
  const colors = colorsOf(css)
  if (colors === undefined) return style
  const outer = style.marks.find(mark => mark.type === 'color')
  const data = {
    text: colors.text === 'default' ? (outer?.data.text ?? 'default') : colors.text,
    background: colors.background === 'default' ? (outer?.data.background ?? 'default') : colors.background,
  }
  const others = style.marks.filter(mark => mark.type !== 'color')
  return { ...style, marks: [...others, { object: 'mark', type: 'color', data }] }
}

function writeAnchor(node: Element, line: Line, style: Style, reading: Reading): void {
  const { attributes, children } = node
  const { href } = attributes
  if (hasClass(attributes, 'button')) putButton(node, line, style, reading)
  else if (Object.hasOwn(attributes, 'data-footnote-ref')) {
    const inner = new Line()
    writeAll(children, inner, style, reading)
    const body = reading.note((href ?? '').replace(/^#(?:user-content-)?fn-?/, ''))
    if (body !== undefined) inner.annotateAll(body)
    line.append(inner)
  } else if (href === undefined || isAnchorOnly(node)) writeAll(children, line, style, reading)
  else if (Object.hasOwn(attributes, 'data-mention') && isDerived(plainLine(children), href)) {
    line.put(inline('mention', { ref: reading.reference(href) }))
  } else putLink(children, href, line, style, reading)
}

/** `<a href="#setup" id="setup"></a>` names a place and shows nothing. */
export const isAnchorOnly = (node: Element): boolean =>
  node.name === 'a' && node.attributes.id !== undefined && node.children.length === 0

function putButton(node: Element, line: Line, style: Style, reading: Reading): void {
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
    kind: hasClass(attributes, 'secondary') ? 'secondary' : 'primary',
  }
  const icon = attributes['data-icon']
  if (icon !== undefined && icon !== '') data.icon = icon.slice(0, 50)
  if (attributes['data-size'] !== undefined) data.size = attributes['data-size']
  if (attributes.href !== undefined) data.ref = reading.reference(attributes.href)
  else data.action = { action, ...(query === undefined ? {} : { query }) }
  line.put(inline('button', data))
}

/** Words of a class that say how an icon is drawn, not which one it is. */
const ICON_STYLES: ReadonlySet<string> = new Set([
  'fa-solid',
  'fa-regular',
  'fa-light',
  'fa-thin',
  'fa-duotone',
  'fa-brands',
])

function putIcon(attributes: Element['attributes'], line: Line): boolean {
  const classes = (attributes.class ?? '').split(/\s+/)
  const icon = classes.find(name => name.startsWith('fa-') && name.length > 3 && !ICON_STYLES.has(name))
  if (icon === undefined) return false
  const colors = colorsOf(attributes.style)
  line.put(inline('icon', { icon: icon.slice(3), ...(colors === undefined ? {} : { color: colors.text }) }))
  return true
}

const hasClass = (attributes: Element['attributes'], name: string): boolean =>
  (attributes.class ?? '').split(/\s+/).includes(name)

/** Comments say nothing; a stray tag says nothing when HTML knows it, else it is what somebody wrote: `<your-key>`. */
export function textOfHtml(node: Html): string {
  if (node.kind === 'comment' || node.kind === 'declaration') return ''
  return isHtmlName(node.name) ? '' : node.value
}

// ---- GitBook tags in a line -------------------------------------------------------------------------------

function writeTag(node: Tag, line: Line, style: Style, reading: Reading): void {
  if (/^(?:vars|space|page|visitor)\./.test(node.name)) {
    line.put(inline('expression', { expression: node.name }))
    return
  }
  const destination = node.attributes.url ?? node.attributes.src
  if (typeof destination === 'string') {
    putLink(node.children, destination, line, style, reading)
    return
  }
  const [open, close] = textOfTag(node)
  line.write(open, style.marks)
  writeAll(node.children, line, style, reading)
  line.write(close, style.marks)
}

/** A tag as text: how it opens and, where it was closed, how it closes. */
export function textOfTag(node: Tag): [open: string, close: string] {
  const argument = node.argument.trim()
  return [
    `{% ${node.name}${argument === '' ? '' : ` ${argument}`} %}`,
    node.isClosed ? `{% end${node.name} %}` : '',
  ]
}
