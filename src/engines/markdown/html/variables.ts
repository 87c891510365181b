// The values of variables that content names.
import { type Child, el } from './build.ts'
import type { Scope } from './scope.ts'

/** Its value, or its name as code where it has none. */
export function variableText(name: string, scope: Scope): Child {
  const { variables } = scope.options
  if (variables !== undefined && Object.hasOwn(variables, name)) return String(variables[name])
  return el('code', {}, name)
}
