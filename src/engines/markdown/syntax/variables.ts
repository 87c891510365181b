// Values that content names: `{% vars.name %}`, or `space.vars.name` in an expression.
import { type Element, hasClass, type Tag } from './ast.ts'

const VARIABLE = /^(?:space\.|page\.)?vars\.([\w-]{1,100})$/

/** The name of the variable, if the expression is just one; undefined otherwise. */
const variableIn = (expression: string): string | undefined => VARIABLE.exec(expression.trim())?.[1]

/** `{% vars.name %}`, whether its name is read as the tag's or as its argument. */
export const variableOf = (tag: Tag): string | undefined => variableIn(`${tag.name}${tag.argument.trim()}`)

/** The same for `<code class="expression">space.vars.name</code>`. */
export function variableOfCode(code: Element): string | undefined {
  const [first] = hasClass(code, 'expression') ? code.children : []
  return first?.type === 'text' || first?.type === 'inlineCode' ? variableIn(first.value) : undefined
}
