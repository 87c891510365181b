// Writes what is read from the operations and the policy: docs/openapi.json and docs/roles.txt.
//
//   node tools/openapi.ts            write them
//   node tools/openapi.ts --check    say whether they are fresh
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actionsOn, allows, type RoleOn, rolesOn, SUBJECTS, type Subject } from '../src/access/policy.ts'
import { operations } from '../src/api/index.ts'
import { describe } from '../src/cli/description.ts'

const DOCS = join(import.meta.dirname, '../docs')

/** A server has its own address in the document it answers; the committed one has the default. */
const EXAMPLE_URL = 'http://127.0.0.1:4000'

/** One line an action, one column a role, and the operations that need it. */
export function renderRoles(): string {
  return SUBJECTS.map(renderSubject).join('\n')
}

function renderSubject(subject: Subject): string {
  const roles = rolesOn(subject)
  const rows = actionsOn(subject).map(action => {
    const needing = operations.filter(({ place, may }) => place?.subject === subject && may === action)
    return [
      action,
      ...roles.map(role =>
        allows(subject, action as never, role as RoleOn<Subject> as never) ? 'yes' : '-',
      ),
      needing.map(operation => operation.id).join(' '),
    ]
  })
  const table = [[subject, ...roles, 'operations'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map(row => row[column]!.length)))
  return `${table
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

const files = {
  'openapi.json': `${JSON.stringify(describe(EXAMPLE_URL), null, 2)}\n`,
  'roles.txt': renderRoles(),
}

const isCheck = process.argv.includes('--check')
for (const [name, text] of Object.entries(files)) {
  const path = join(DOCS, name)
  if (!isCheck) writeFileSync(path, text)
  else if (read(path) !== text) {
    process.stderr.write(`docs/${name} is not what the code says: run node tools/openapi.ts\n`)
    process.exitCode = 1
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
