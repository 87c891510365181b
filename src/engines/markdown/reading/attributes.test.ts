import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCHEMAS } from '../blocks/schemas.ts'
import { isOn, readAttributes } from '../schema/schema.ts'
import { customTag, dataAttributes, parseMarkdown } from '../syntax/syntax.ts'
import { blockOf } from './reading.ts'

test('a flag is on where it is written, unless its value says no', () => {
  for (const written of [true, '', 'true', 'True', ' yes', 'on', '1', 'line-numbers', 'x'.repeat(100_000)])
    assert.ok(isOn(written), String(written).slice(0, 20))
  for (const written of [undefined, false, 'false', ' FALSE ', 'no', 'off', '0'])
    assert.ok(!isOn(written), String(written))
})

test('names are compared without case and hyphens, and the first value that means something counts', () => {
  const [hint, code, column] = [SCHEMAS.hint.attributes, SCHEMAS.code.attributes, SCHEMAS.column.attributes]
  assert.deepEqual(readAttributes({ TYPE: 'danger' }, hint), { style: 'danger' })
  assert.deepEqual(readAttributes({ style: 'loud', type: ' Danger' }, hint), { style: 'danger' })
  assert.deepEqual(readAttributes({ style: true }, hint), { style: 'info' })
  assert.deepEqual(readAttributes({ 'line-numbers': '', collapsedlinecount: '3' }, code), {
    lineNumbers: true,
    collapsedLineCount: 3,
  })
  assert.deepEqual(readAttributes({ valign: 'over', verticalalignment: 'Top', width: '10%' }, column), {
    width: { unit: '%', value: 10 },
    verticalAlignment: 'top',
  })
})

test('an element stands for a tag by its data attributes, which have places in the source', () => {
  const source = '<div data-gb-custom-block data-tag="hint" data-style="danger" title="x">\n\na\n\n</div>'
  const [node] = parseMarkdown(source).children
  assert.ok(node?.type === 'element')
  const tag = customTag(node)
  assert.deepEqual(tag?.attributes, { style: 'danger' })
  const { start, end } = tag.ranges.style ?? assert.fail()
  assert.equal(source.slice(start, end), 'danger')
  assert.deepEqual(blockOf(node), { name: 'hint', data: { style: 'danger' }, tag, node })
  assert.equal(blockOf(node), blockOf(node))
  assert.deepEqual(dataAttributes(node), { 'gb-custom-block': '', tag: 'hint', style: 'danger' })
  assert.equal(customTag({ ...node, attributes: { class: 'x' } }), undefined)
})
