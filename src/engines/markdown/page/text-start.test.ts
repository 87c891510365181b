import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textStart } from './text-start.ts'

const textOf = (source: string, title = 'Setup') => source.slice(textStart(source, title))

test('the text of a page begins behind its frontmatter and its title', () => {
  assert.equal(textOf('---\nicon: gear\n---\n\n# Setup\n\nWords.\n'), 'Words.\n')
  assert.equal(textOf('# Setup\r\n\r\nWords.\r\n'), 'Words.\r\n')
  assert.equal(textOf('Setup\n=====\n\nWords.\n'), 'Words.\n')
  assert.equal(textOf('# Setup <a id="setup"></a>\nWords.\n'), 'Words.\n')
  assert.equal(textOf('\ufeff# Setup\n'), '')
})

test('a first heading that says something else belongs to the text, as does one after other blocks', () => {
  assert.equal(textOf('# Install\n\nWords.\n'), '# Install\n\nWords.\n')
  assert.equal(textOf('Words.\n\n# Setup\n'), 'Words.\n\n# Setup\n')
  assert.equal(textOf('## Setup\n\nWords.\n'), '## Setup\n\nWords.\n')
  assert.equal(textOf('---\nicon: gear\n---\nWords.\n'), 'Words.\n')
})

test('a page of blank lines, or of nothing, has an empty text', () => {
  for (const source of ['', '\n\n', '  \n\t\n', '---\nicon: gear\n---\n']) assert.equal(textOf(source), '')
})

test('white space before the first words of a text stays in it: it may be code', () => {
  assert.equal(textOf('# Setup\n\n    code\n'), '    code\n')
})
