// HTML in content, element by element. An element that is not named here loses its tags and keeps its words, or is
// dropped whole if the words are not meant to be read (scripts, styles). No attribute passes by itself: each renderer
// asks for the ones it knows.
import { drawExpandable, drawFigures, drawTable } from '../blocks/html.ts'
import { firstNumberOf, pictureOf, playerOf } from '../reading/reading.ts'
import { isOn } from '../schema/schema.ts'
import { customTag, type Element, type Html, isNamed, type Tag } from '../syntax/syntax.ts'
import { renderAnchor } from './anchor-elements.ts'
import { type Child, el, type Hast } from './build.ts'
import { renderCode } from './code.ts'
import { alignedTo } from './drawn.ts'
import { renderHeading } from './headings.ts'
import {
  coloured,
  plainAttributes,
  renderCodeElement,
  renderItalic,
  renderMark,
  renderSpan,
} from './phrasing-elements.ts'
import { drawPictureInLine } from './pictures.ts'
import { embedCard } from './references.ts'
import type { Scope } from './scope.ts'
import { renderTag } from './tags.ts'

type ElementRenderer = (node: Element, scope: Scope) => Child

const wrap =
  (tagName: string): ElementRenderer =>
  (node, scope) =>
    el(tagName, plainAttributes(node, scope), scope.inlines(node.children))

const contain =
  (tagName: string): ElementRenderer =>
  (node, scope) =>
    el(tagName, plainAttributes(node, scope), scope.lineOrBlocks(node.children))

const RENDERERS: Readonly<Record<string, ElementRenderer>> = {
  a: renderAnchor,
  button: renderAnchor,
  img: renderPicture,
  picture: renderPicture,
  figure: drawFigures,
  figcaption: (node, scope) => scope.lineOrBlocks(node.children),
  details: drawExpandable,
  summary: (node, scope) => scope.inlines(node.children),
  table: drawTable,
  mark: renderMark,
  span: renderSpan,
  i: renderItalic,
  p: renderParagraph,
  div: (node, scope) => drawFigures(node, scope) ?? contain('div')(node, scope),
  center: (node, scope) =>
    el('div.align-center', { draws: alignedTo('center') }, scope.lineOrBlocks(node.children)),
  pre: (node, scope) => renderCode(node, {}, scope),
  code: renderCodeElement,
  ul: renderList,
  ol: renderList,
  li: contain('div'),
  br: () => el('br'),
  hr: () => el('hr'),
  wbr: () => el('wbr'),
  iframe: renderPlayer,
  video: renderPlayer,
  audio: renderPlayer,
  time: (node, scope) =>
    el('time', { dateTime: node.attributes.datetime?.slice(0, 40) || null }, scope.inlines(node.children)),
  input: node =>
    node.attributes.type === 'checkbox' &&
    el('input', { type: 'checkbox', disabled: true, checked: isOn(node.attributes.checked) }),
  font: (node, scope) => el('span', coloured(node), scope.inlines(node.children)),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, renderHeading])),
  strike: wrap('s'),
  tt: wrap('code'),
  big: wrap('span'),
  ...Object.fromEntries(
    ['dl', 'dt', 'dd', 'blockquote', 'section', 'article', 'aside'].map(name => [name, contain(name)]),
  ),
  ...Object.fromEntries(
    'b strong em u s del ins sub sup kbd samp var small abbr cite dfn q bdi ruby rt rp'
      .split(' ')
      .map(name => [name, wrap(name)]),
  ),
}

/** Not shown at all: their text is for machines, or they hold what only a whole page may. */
const HIDDEN: ReadonlySet<string> = new Set(
  `script style template noscript object embed applet svg math head title base link meta
    frameset frame noframes noembed select option datalist canvas param source track map area
    xmp plaintext portal slot dialog`.split(/\s+/),
)

/** Known to HTML, shown without their own tags. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  `html body header footer main nav form fieldset legend label textarea output meter
    progress address hgroup search menu data nobr marquee blink thead tbody tfoot tr td th
    caption colgroup col optgroup`.split(/\s+/),
)

/** Tags of GitBook or HTML, in a line or on lines of their own. */
export function renderMarkup(node: Tag | Element | Html, scope: Scope): Child {
  if (node.type === 'tag') return renderTag(node, node, scope)
  return node.type === 'element' ? renderElement(node, scope) : renderStray(node)
}

function renderElement(node: Element, scope: Scope): Child {
  const asTag = customTag(node)
  if (asTag !== undefined) return renderTag(node, asTag, scope)
  if (Object.hasOwn(RENDERERS, node.name)) return RENDERERS[node.name]?.(node, scope)
  if (HIDDEN.has(node.name)) return null
  const inside = node.isInline ? scope.inlines(node.children) : scope.blocks(node.children)
  if (TRANSPARENT.has(node.name) || Object.keys(node.attributes).length > 0) return inside
  // `<api-key>` and `<answer>…</answer>` in prose are words that look like tags: readers should see them.
  return node.children.length === 0 ? `<${node.name}>` : [`<${node.name}>`, inside, `</${node.name}>`]
}

/** A stray tag. One without attributes that HTML does not know was meant to be read: `<your-endpoint>`. */
function renderStray(node: Html): Child {
  if (node.kind !== 'open' && node.kind !== 'close') return null
  if (node.name === 'br') return el('br')
  if (node.name === 'hr') return node.isInline ? null : el('hr')
  const isKnown = Object.hasOwn(RENDERERS, node.name) || HIDDEN.has(node.name) || TRANSPARENT.has(node.name)
  if (isKnown || !/^<\/?[^\s<>"'=]{1,100}>$/.test(node.value)) return null
  return node.isInline ? node.value : el('p', {}, node.value)
}

function renderPicture(node: Element, scope: Scope): Child {
  const picture = pictureOf(node)
  return picture && drawPictureInLine(picture, scope)
}

/** A `<p>` that shows nothing is left out. */
function renderParagraph(node: Element, scope: Scope): Child {
  const figures = drawFigures(node, scope)
  if (figures !== undefined) return figures
  const inside = scope.lineOrBlocks(node.children)
  return inside.length === 0 ? null : el('p', plainAttributes(node, scope), inside)
}

function renderList(node: Element, scope: Scope): Hast {
  const start = firstNumberOf(node)
  const items = node.children.filter(child => isNamed(child, 'li'))
  return el(
    node.name,
    node.name === 'ol' && start !== 1 ? { start } : {},
    items.map(item => el('li', plainAttributes(item, scope), scope.lineOrBlocks(item.children))),
  )
}

/** Frames and players become a link to what they would have shown; their own content stands for it if there is none. */
function renderPlayer(node: Element, scope: Scope): Child {
  const src = playerOf(node)?.src
  if (src !== undefined) return embedCard(src, node, scope)
  return node.isInline ? scope.inlines(node.children) : scope.blocks(node.children)
}
