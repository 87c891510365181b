// Every answer that any test gets is held against what the operation says it answers: the status is a declared one,
// the body has the declared shape, and has nothing that the shape does not name.
import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { TreePage } from '../../src/api/content/schema.ts'
import { operations } from '../../src/api/index.ts'
import { failuresOf } from '../../src/http/openapi.ts'
import type { Operation } from '../../src/http/operation.ts'
import { ErrorBody } from '../../src/http/refusals.ts'

/** Schemas that contain themselves refer to themselves as the OpenAPI document does. */
const REFERENCES = { '#/components/schemas/RevisionPage': TreePage } as never

/** What the frame itself can answer to any request: unreadable bodies, long addresses, other hosts, unchanged content, too much at once. */
const FRAME_STATUSES = [304, 400, 413, 414, 415, 421, 503, 507]

const isError = Compile(ErrorBody)
/** By operation: whether a body has the shape and nothing more. */
const checks = new Map<Operation, (body: unknown) => boolean>()

const patterns = operations.map(operation => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\*\}/g, '.*').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const findOperation = (method: string, path: string): Operation | undefined =>
  patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation

export function assertContract(method: string, url: string, status: number, body: unknown): void {
  const operation = findOperation(method, url.split('?')[0] ?? url)
  if (operation === undefined) return
  const about = `${operation.id} answered ${status}`
  if (status >= 400) {
    assert.ok(isError.Check(body), `${about} with a body that is no error: ${JSON.stringify(body)}`)
    assert.equal((body as { error: { code: number } }).error.code, status)
    assert.ok(
      [...failuresOf(operation), ...FRAME_STATUSES].includes(status),
      `${about}, which it does not declare`,
    )
    const shape = status === 409 ? (operation.conflict ?? ErrorBody) : ErrorBody
    assert.deepEqual(Value.Clean(shape, structuredClone(body)), body, `${about} with fields of no error`)
    return
  }
  const mayBeEmpty = operation.absent === 'done' || operation.supportedHeaders.includes('return=minimal')
  assert.ok(
    [operation.status, 304, ...(mayBeEmpty ? [204] : []), ...(operation.makes ? [201] : [])].includes(status),
    `${about}, which it does not declare`,
  )
  if (body === undefined || operation.reply === undefined) return
  assertShape(operation, body, about)
}

/** The events of a stream: each has the declared shape, and the last one says that it is over. */
export function assertStream(method: string, url: string, text: string): void {
  const operation = findOperation(method, url.split('?')[0] ?? url)
  if (operation === undefined) return
  assert.ok(operation.isStream, `${operation.id} answered a stream, which it does not declare`)
  const frames = text.split('\n\n').filter(frame => frame !== '' && !frame.startsWith(':'))
  // That one goes on until its client leaves.
  if (operation.id !== 'streamLive')
    assert.match(frames.pop() ?? '', /^event: (?:done\ndata: \{\}|error\ndata: \{"error":.*\})$/)
  for (const frame of frames) {
    assert.match(frame, /^data: /)
    assertShape(operation, JSON.parse(frame.slice('data: '.length)), operation.id)
  }
}

function assertShape(operation: Operation, body: unknown, about: string): void {
  const reply = operation.reply as NonNullable<Operation['reply']>
  const isExact = checks.get(operation) ?? compile(operation)
  if (isExact(body)) return
  // Which of the two it is, is asked only of what is wrong: to compile the shape as well costs a lane seconds.
  assert.ok(
    Value.Check(REFERENCES, reply, body),
    `${about} with another shape: ${JSON.stringify(body).slice(0, 2000)}`,
  )
  const cleaned = Value.Clean(REFERENCES, reply, structuredClone(body))
  assert.deepEqual(cleaned, body, `${about} with fields that its shape does not name`)
}

function compile(operation: Operation): (body: unknown) => boolean {
  const reply = operation.reply as NonNullable<Operation['reply']>
  const compiled = Compile(closed(REFERENCES) as never, closed(reply) as typeof reply)
  const isExact = (body: unknown) => compiled.Check(body)
  checks.set(operation, isExact)
  return isExact
}

/** The schema with no object that may have more than it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in schema && schema.properties instanceof Object
    ? { additionalProperties: false, ...members }
    : members
}
