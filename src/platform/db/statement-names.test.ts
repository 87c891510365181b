import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameStatement } from './statement-names.ts'

test('a statement is named by what it does and its first table, and by nothing that it holds', () => {
  const cases: readonly (readonly [string, ReturnType<typeof nameStatement>])[] = [
    ['select "id" from "spaces" where "id" = $1', { operation: 'select', table: 'spaces' }],
    ['insert into "users" ("id") values ($1)', { operation: 'insert', table: 'users' }],
    ['update jobs set locked_by = $1', { operation: 'update', table: 'jobs' }],
    ['\n  with due as (select id from jobs) select * from due', { operation: 'with', table: 'jobs' }],
    ["select 'a secret'", { operation: 'select' }],
    ["set local octavo.x = 'from secrets'", { operation: 'set' }],
    ['', { operation: 'statement' }],
  ]
  for (const [text, name] of cases) assert.deepEqual(nameStatement(text), name)
})
