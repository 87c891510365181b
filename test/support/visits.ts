// How many rows a statement passes over, which is what it costs on any machine: a loop over two lists within each other
// shows by its number, however fast it was.
import assert from 'node:assert/strict'
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** The node of a plan that most rows pass through. */
export type Busiest = { readonly visits: number; readonly node: string }

/** Runs the statement, as PostgreSQL plans it now. */
export async function busiestNode(db: Db, text: string, values: readonly unknown[]): Promise<Busiest> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]),
  )
  return busiest((rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan)
}

/** Rows that pass through the busiest node of the plans of the statements that `run` executes. */
export async function visitsOf(db: Db, run: (at: Db) => Promise<unknown>): Promise<number> {
  const statements: CompiledQuery[] = []
  const listen: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await run(db.withPlugin(listen))
  assert.ok(statements.length > 0)
  const visits = await Promise.all(
    statements.map(statement => busiestNode(db, statement.sql, statement.parameters)),
  )
  return Math.max(...visits.map(node => node.visits))
}

function busiest(plan: Plan): Busiest {
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  const names = [plan['Node Type'], plan['Relation Name'], plan['Index Name']]
  const own: Busiest = {
    visits: (plan['Actual Rows'] + removed) * plan['Actual Loops'],
    node: names.filter(name => name !== undefined).join(' '),
  }
  return (plan.Plans ?? [])
    .map(busiest)
    .reduce((most, other) => (other.visits > most.visits ? other : most), own)
}
