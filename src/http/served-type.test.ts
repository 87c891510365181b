import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toServedType } from './served-type.ts'

test('no type of a script, a style or a document is served, however it is written', () => {
  const types = [
    ...['application/ecmascript', 'application/javascript', 'application/x-ecmascript'],
    ...['application/x-javascript', 'text/ecmascript', 'text/javascript', 'text/javascript1.0'],
    ...['text/javascript1.5', 'text/jscript', 'text/livescript', 'text/x-ecmascript', 'text/x-javascript'],
    ...['TEXT/JavaScript', 'text/javascript; charset=utf-8', 'text/javascript;version=1.8'],
    ...['text/css', 'text/html', 'application/xhtml+xml', 'text/xml', 'application/xml', 'text/xsl'],
    ...['application/xslt+xml', 'application/rss+xml', 'Application/MathML+XML', 'multipart/related'],
  ]
  for (const type of types) assert.equal(toServedType(type), 'text/plain; charset=utf-8', type)
})

test('what a browser could read as another type than it begins with is unknown bytes', () => {
  const types = [
    ...[
      '',
      'javascript',
      'image/png, text/javascript',
      'image/png;a="b,text/javascript"',
      ' text/javascript',
    ],
    ...['text/plain\ntext/javascript', 'text /javascript', `text/javascript;a=${'b'.repeat(300)}`],
    ...['application/wasm', 'text/javascript;'],
  ]
  for (const type of types) assert.equal(toServedType(type), 'application/octet-stream', type)
})

test('pictures, documents to save and plain text keep their type', () => {
  const types = [
    ...[
      'image/png',
      'image/svg+xml',
      'application/pdf',
      'video/mp4',
      'text/plain; charset=utf-16',
      'text/csv',
    ],
    ...['application/json', 'application/vnd.ms-excel', 'font/woff2', 'application/octet-stream'],
  ]
  for (const type of types) assert.equal(toServedType(type), type)
})
