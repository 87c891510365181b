// Values that content names: `{% vars.name %}`, or `space.vars.name` in an expression.
import { type Element, hasClass, type Position, type Tag } from './ast.ts'
import { inOneLine } from './characters.ts'
import { plainLine } from './plain-text.ts'

const VARIABLE = /^(?:space\.|page\.)?vars\.([\w-]{1,100})$/

/** The name of the variable, if the expression is just one; undefined otherwise. */
export const variableIn = (expression: string): string | undefined => VARIABLE.exec(expression.trim())?.[1]

/** Of the space, the page and the visitor; braces around anything else are words, as in GitBook. */
const IN_BRACES = /\{\{\s*((?:space|page|visitor)\.[^{}]{1,1000})\}\}/g

/** Where it is in the text that was split. */
export type TextPart = { readonly text: string } | ({ readonly expression: string } & Position)

/** Splits text at its expressions: `{{ space.vars.name }}`. */
export function splitExpressions(value: string): TextPart[] {
  if (!value.includes('{{')) return [{ text: value }]
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: written, 1: inside = '', index: start } of value.matchAll(IN_BRACES)) {
    const end = start + written.length
    parts.push({ text: value.slice(from, start) }, { expression: inOneLine(inside).trimEnd(), start, end })
    from = end
  }
  parts.push({ text: value.slice(from) })
  return parts
}

/** `{% vars.name %}`, whether its name is read as the tag's or as its argument; a variable has no end. */
export const variableOf = (tag: Tag): string | undefined =>
  tag.isClosed ? undefined : variableIn(`${tag.name}${tag.argument.trim()}`)

/** The expression of `<code class="expression">space.vars.name</code>`; undefined for other code. */
export const expressionOf = (code: Element): string | undefined =>
  hasClass(code, 'expression') ? plainLine(code.children) : undefined

/** The name of the variable, if an element's expression is just one. */
export const variableOfCode = (code: Element): string | undefined => variableIn(expressionOf(code) ?? '')
