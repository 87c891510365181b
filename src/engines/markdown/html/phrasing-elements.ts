// Elements around words: colours, emojis, icons, code, values.
import {
  type Element,
  hasClass,
  plainLine,
  readColours,
  renderEmoji,
  variableOfCode,
} from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast } from './build.ts'
import { renderLineMath } from './math.ts'
import { iconName, inkClass, paperClass, sideClass } from './names.ts'
import type { Scope } from './scope.ts'

/** What every element may keep: its language, its direction, its alignment, an id of its own. */
export function plainAttributes(node: Element, scope: Scope) {
  const { dir, lang, title } = node.attributes
  return {
    id: scope.takeId(node),
    dir: dir === 'rtl' || dir === 'ltr' || dir === 'auto' ? dir : null,
    lang: lang !== undefined && /^[a-z0-9-]{1,35}$/i.test(lang) ? lang : null,
    title: title?.slice(0, 500),
    className: sideClass(node),
  }
}

/** `<mark style="color:red;background-color:blue">`; without a known colour it is a plain highlight. */
export function renderMark(node: Element, scope: Scope): Hast {
  return el('mark', { className: colourClasses(node) }, scope.inlines(node.children))
}

function colourClasses({ attributes }: Element) {
  const { ink, paper } = readColours(attributes.style)
  return [inkClass(ink), paperClass(paper)]
}

/** Emojis are spans with a code, and formulas spans with a class; other spans keep a known colour. */
export function renderSpan(node: Element, scope: Scope): Child {
  const { attributes } = node
  if (hasClass(node, 'math')) return el('span.math', {}, renderLineMath(plainLine(node.children)))
  const emoji = attributes['data-tag'] === 'emoji' ? renderEmoji(attributes['data-code'] ?? '') : undefined
  if (emoji !== undefined) return el('span.emoji', {}, emoji)
  const { className, ...plain } = plainAttributes(node, scope)
  const colours = colourClasses(node).filter(name => name !== undefined)
  const classes = colours.length > 0 ? colours : className
  return el('span', { ...plain, className: classes }, scope.inlines(node.children))
}

/** `<i class="fa-rocket" style="color:$primary">:rocket:</i>` is an icon, any other `<i>` is italic. */
export function renderItalic(node: Element, scope: Scope): Child {
  const name = /(?:^|\s)fa-/.test(node.attributes.class ?? '') ? iconName(node.attributes.class) : undefined
  if (name === undefined) return el('i', plainAttributes(node, scope), scope.inlines(node.children))
  return chosenIcon(name, inkClass(readColours(node.attributes.style).ink))
}

/** `<code class="expression">space.vars.name</code>` is the value of a variable. */
export function renderCodeElement(node: Element, scope: Scope): Child {
  const name = variableOfCode(node)
  return name === undefined ? el('code', {}, codeWords(node, scope)) : variableText(name, scope)
}

/** Words in code do not name emojis. */
const codeWords = (node: Element, scope: Scope): Child[] =>
  node.children.map(child => (child.type === 'text' ? child.value : scope.inlines([child])))

/** The value of a variable, or its name as code if it has none. */
export function variableText(name: string, scope: Scope): Child {
  const { variables } = scope.options
  if (variables !== undefined && Object.hasOwn(variables, name)) return String(variables[name])
  return el('code', {}, name)
}
