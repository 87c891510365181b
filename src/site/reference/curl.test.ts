import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { type Operation, readDocument } from '../../api/rendering/openapi/document.ts'
import { sampleDocument } from '../../api/rendering/openapi/sample.ts'
import { curlOf, variableOf } from './curl.ts'

const document = readDocument(sampleDocument)

const operationOf = (root: unknown, id: string): Operation => {
  const found = readDocument(root).operations.find(operation => operation.id === id)
  assert.ok(found, id)
  return found
}

/** What a shell hands to curl: each argument on its own. */
const argumentsOf = (line: string, variables: Record<string, string>): string[] =>
  execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
    env: { PATH: '/nowhere', ...variables },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)

test('path parameters and the token are variables of the shell', () => {
  assert.equal(
    curlOf(document, operationOf(sampleDocument, 'getSpaceById')),
    'curl "https://docs.example.com/v1/spaces/$SPACE_ID" \\\n  -H "Authorization: Bearer $OCTAVO_TOKEN"',
  )
  assert.equal(variableOf('changeRequestId'), 'CHANGE_REQUEST_ID')
  assert.equal(variableOf('page-path'), 'PAGE_PATH')
})

test('required query parameters are there, the others are not', () => {
  assert.match(curlOf(document, operationOf(sampleDocument, 'listSpaces')), /\/spaces\?query=install"/)
})

test('a shell reads the line as it was meant', () => {
  const line = curlOf(document, operationOf(sampleDocument, 'createSpace'))
  const [, method, url, , authorization, , type, , body] = argumentsOf(line, { OCTAVO_TOKEN: 'secret' })
  assert.deepEqual(
    [method, url, authorization, type],
    [
      'POST',
      'https://docs.example.com/v1/spaces',
      'Authorization: Bearer secret',
      'Content-Type: application/json',
    ],
  )
  assert.deepEqual(JSON.parse(body ?? ''), { title: 'Getting started' })
})

test('the shell runs nothing from a document', () => {
  const run = "$(touch hacked)`touch hacked`\"; touch hacked; '; touch hacked; '"
  const root = {
    servers: [{ url: `https://a.example/${run}` }],
    security: [{ token: [] }],
    paths: {
      [`/b${run}/{${run}}`]: {
        post: {
          operationId: 'hostile',
          parameters: [{ name: run, in: 'query', required: true, schema: { type: 'string', example: run } }],
          requestBody: { content: { [`application/json${run}`]: { example: { [run]: run } } } },
        },
      },
    },
  }
  const line = curlOf(readDocument(root), operationOf(root, 'hostile'))
  const read = argumentsOf(line, {})
  assert.equal(read.length, 9, line)
  assert.match(read[2] ?? '', /^https:\/\/a\.example\/\$\(touch hacked\)`touch hacked`"; touch/)
  assert.deepEqual(JSON.parse(read[8] ?? ''), { [run]: run })
})
