// Every regular expression of the program, read from its syntax tree: literals, `RegExp(…)`, and the `pattern` of a
// schema. `node tools/regular-expressions.ts` fails for each that can take more than in proportion to a text, and for
// each that nobody can read before the program runs, unless it is listed below with the reason why it may.
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type AnyNode, type Program, parse } from 'acorn'
import { transformSync } from 'esbuild'
import { resolveImport } from './imports.ts'
import { type Expression, findSuperlinear } from './superlinear.ts'

/** By file and expression, as the finding names it. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  [
    "src/api/rendering/openapi/example.ts new RegExp(pattern, 'u')",
    'a pattern of a foreign description: only short ones are tried, on a short text of ours',
  ],
])

export type Found = {
  readonly path: string
  readonly line: number
  /** As it is written. */
  readonly written: string
  /** Undefined where it is made of what only the running program knows. */
  readonly expression: Expression | undefined
}

// Blanks replace types, so that line numbers hold; those of a file with JSX may not.
const withoutJsx = (text: string): string =>
  transformSync(text, { loader: 'tsx', jsx: 'automatic', target: 'esnext' }).code

type ReadFile = (path: string) => string

/** Reads the files of a project, each once. */
export function expressionsReader(readFile: ReadFile): (path: string) => Found[] {
  const modules = new Map<string, Module>()
  const moduleAt = (path: string): Module => {
    const known = modules.get(path) ?? new Module(path, readFile(path), moduleAt)
    modules.set(path, known)
    return known
  }
  return path => moduleAt(path).expressions()
}

type Value = string | number | Expression | undefined

class Module {
  readonly #path: string
  readonly #code: string
  readonly #program: Program
  readonly #moduleAt: (path: string) => Module
  readonly #constants = new Map<string, AnyNode>()
  readonly #imports = new Map<string, { from: string; name: string }>()

  constructor(path: string, text: string, moduleAt: (path: string) => Module) {
    this.#path = path
    this.#moduleAt = moduleAt
    this.#code = path.endsWith('.tsx') ? withoutJsx(text) : stripTypeScriptTypes(text)
    this.#program = parse(this.#code, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
    for (const statement of this.#program.body) this.#declare(statement)
  }

  #declare(statement: AnyNode): void {
    if (statement.type === 'ExportNamedDeclaration' && statement.declaration != null)
      this.#declare(statement.declaration)
    else if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
      for (const { id, init } of statement.declarations)
        if (id.type === 'Identifier' && init != null) this.#constants.set(id.name, init)
    } else if (statement.type === 'ImportDeclaration') {
      const from = resolveImport(this.#path, String(statement.source.value))
      for (const one of statement.specifiers)
        if (from !== undefined && one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
          this.#imports.set(one.local.name, { from, name: one.imported.name })
    } else if (statement.type === 'ExportNamedDeclaration' && statement.source != null) {
      const from = resolveImport(this.#path, String(statement.source.value))
      for (const { local, exported } of statement.specifiers)
        if (from !== undefined && local.type === 'Identifier' && exported.type === 'Identifier')
          this.#imports.set(exported.name, { from, name: local.name })
    }
  }

  expressions(): Found[] {
    return nodesOf(this.#program).flatMap(node => {
      const values = this.#madeBy(node)
      if (values === undefined) return []
      const { start, loc } = node
      const written = this.#code.slice(start, node.end)
      return [{ path: this.#path, line: loc?.start.line ?? 1, written, expression: toExpression(values) }]
    })
  }

  /** The source and the flags that a node makes an expression of; undefined for one that makes none. */
  #madeBy(node: AnyNode): readonly Value[] | undefined {
    if (node.type === 'Literal' && node.regex != null) return [this.#valueOf(node)]
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const isMade = node.callee.type === 'Identifier' && node.callee.name === 'RegExp'
      return isMade ? node.arguments.map(argument => this.#valueOf(argument)) : undefined
    }
    if (node.type !== 'Property' || node.key.type !== 'Identifier' || node.key.name !== 'pattern')
      return undefined
    return [this.#valueOf(node.value)]
  }

  #valueOf(node: AnyNode): Value {
    if (node.type === 'Literal') {
      if (node.regex != null) return { source: node.regex.pattern, flags: node.regex.flags }
      return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined
    }
    if (node.type === 'TemplateLiteral') {
      const values = node.expressions.map(part => this.#valueOf(part))
      if (values.some(value => typeof value !== 'string' && typeof value !== 'number')) return undefined
      return node.quasis.map((quasi, index) => `${quasi.value.cooked}${values[index] ?? ''}`).join('')
    }
    if (node.type === 'MemberExpression' && node.property.type === 'Identifier') {
      const value = node.property.name === 'source' ? this.#valueOf(node.object) : undefined
      return typeof value === 'object' ? value.source : undefined
    }
    return node.type === 'Identifier' ? this.#named(node.name) : undefined
  }

  #named(name: string): Value {
    const constant = this.#constants.get(name)
    if (constant !== undefined) return this.#valueOf(constant)
    const imported = this.#imports.get(name)
    return imported === undefined ? undefined : this.#moduleAt(imported.from).#named(imported.name)
  }
}

function toExpression([made, flags = '']: readonly Value[]): Expression | undefined {
  if (typeof flags !== 'string') return undefined
  if (typeof made === 'object') return { source: made.source, flags: flags === '' ? made.flags : flags }
  return typeof made === 'string' ? { source: made, flags } : undefined
}

function nodesOf(root: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = []
  const waiting: unknown[] = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) continue
    if ('type' in value && typeof value.type === 'string') nodes.push(value as AnyNode)
    waiting.push(...Object.values(value).filter(inside => typeof inside === 'object' && inside !== null))
  }
  return nodes
}

/** The files of the program: not its tests, nor what checks and measures it. */
export const programFiles = (root: string): string[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['src/**/*.d.ts'] })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !/\.(?:test|conformance)\.ts$/.test(path))
    .sort()

/** What is wrong with each, in a line. */
export function findSlow(found: readonly Found[], allowed = ALLOWED): string[] {
  const unused = new Set(allowed.keys())
  const complaints = found.flatMap(({ path, line, written, expression }) => {
    const why = expression === undefined ? 'is not known before the program runs' : complaintOf(expression)
    const name = `${path} ${written}`
    if (why === undefined || unused.delete(name)) return []
    return allowed.has(name) ? [] : [`${path}:${line} ${written}: ${why}`]
  })
  return [...complaints, ...[...unused].map(name => `${name}: is allowed, and nothing needs it`)]
}

const judged = new Map<string, string | undefined>()

function complaintOf(expression: Expression): string | undefined {
  const name = `/${expression.source}/${expression.flags}`
  if (!judged.has(name)) judged.set(name, findSuperlinear(expression))
  const loop = judged.get(name)
  return loop === undefined ? undefined : `can take more than in proportion to a text: ${loop}`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const read = expressionsReader(path => readFileSync(`${root}${path}`, 'utf8'))
  const complaints = findSlow(programFiles(root).flatMap(read))
  for (const complaint of complaints) console.log(complaint)
  if (complaints.length > 0) process.exitCode = 1
}
