// Elements around words: colours, emojis, icons, code, values.
import { coloursOf, emojiOf, iconOf, sideOf } from '../reading/reading.ts'
import {
  type Element,
  hasClass,
  plainLine,
  renderEmoji,
  variableIn,
  variableOfCode,
} from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast } from './build.ts'
import { alignedTo } from './drawn.ts'
import { renderLineMath } from './math.ts'
import { inkClass, paperClass, sideClass } from './names.ts'
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
    draws: alignedTo(sideOf(node)),
  }
}

/** A mark in no known colour is its words. */
export function renderMark(node: Element, scope: Scope): Child {
  const colours = coloured(node)
  const inside = scope.inlines(node.children)
  return colours === undefined ? inside : el('mark', colours, inside)
}

/** Its known colours; undefined if it has none. */
export function coloured(node: Element) {
  const colours = coloursOf(node)
  const [ink, paper] = [inkClass(colours.ink), paperClass(colours.paper)]
  if (ink === undefined && paper === undefined) return undefined
  return { className: [ink, paper], draws: { name: 'coloured', ink, paper } } as const
}

/** Emojis are spans with a code, and formulas spans with a class; other spans keep a known colour. */
export function renderSpan(node: Element, scope: Scope): Child {
  if (hasClass(node, 'math')) return el('span.math', {}, renderLineMath(plainLine(node.children)))
  const emoji = emojiOf(node)
  if (emoji !== undefined) return el('span.emoji', {}, renderEmoji(emoji))
  if (node.attributes['data-option'] !== undefined)
    return optionChip(paperClass(coloursOf(node).paper), scope.inlines(node.children))
  return el('span', { ...plainAttributes(node, scope), ...coloured(node) }, scope.inlines(node.children))
}

/** An option of a table. */
export const optionChip = (ground: string | undefined, words: Child): Hast =>
  el('span', { className: ['select-option', ground], draws: { name: 'chip', ground } }, words)

/** `<i class="fa-rocket" style="color:$primary">:rocket:</i>` is an icon, any other `<i>` is italic. */
export function renderItalic(node: Element, scope: Scope): Child {
  const icon = iconOf(node)
  if (icon === undefined) return el('i', plainAttributes(node, scope), scope.inlines(node.children))
  return chosenIcon(icon.name, inkClass(icon.colour))
}

/** `<code class="expression">space.vars.name</code>` is the value of a variable. */
export function renderCodeElement(node: Element, scope: Scope): Child {
  const name = variableOfCode(node)
  return name === undefined ? el('code', {}, codeWords(node, scope)) : variableText(name, scope)
}

/** `{{ space.vars.name }}`; other expressions are shown as code. */
export function renderExpression(expression: string, scope: Scope): Child {
  const name = variableIn(expression)
  return name === undefined ? el('code', {}, expression) : variableText(name, scope)
}

/** Words in code do not name emojis. */
const codeWords = (node: Element, scope: Scope): Child[] =>
  node.children.map(child => (child.type === 'text' ? child.value : scope.inlines([child])))

/** The value of a variable, or its name as code if it has none. */
export const variableText = (name: string, scope: Scope): Child =>
  variableValue(name, scope) ?? el('code', {}, name)

export function variableValue(name: string, { options: { variables = {} } }: Scope): string | undefined {
  return Object.hasOwn(variables, name) ? String(variables[name]) : undefined
}
