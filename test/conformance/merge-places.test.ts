// Insertions among repeated text, one example of each kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeByOctavo } from './git-merges/mergers.ts'

const page = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`

const STANDARD = ['## Standard', '### Release 1', 'Bug fixes.']
const ENTERPRISE = ['## Enterprise', '### Release 1', 'Bug fixes.']
const ADDED = ['### 1.15', 'Bug fixes.']

function conflicts(base: string, ours: string, theirs: string): void {
  for (const [one, other] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    const merged = mergeByOctavo({ base, ours: one, theirs: other })
    assert.equal(merged.conflicts.length, 1, merged.text)
    assert.equal(mergeByOctavo({ base, ours: one, theirs: other }, 'ours').text, one)
    assert.equal(mergeByOctavo({ base, ours: one, theirs: other }, 'theirs').text, other)
  }
}

function mergesTo(base: string, ours: string, theirs: string, text: string): void {
  assert.deepEqual(mergeByOctavo({ base, ours, theirs }), { text, conflicts: [] })
  assert.deepEqual(mergeByOctavo({ base, ours: theirs, theirs: ours }), { text, conflicts: [] })
}

test('a release that is added to a section which the other side deleted is a conflict', () => {
  const base = page(...STANDARD, ...ENTERPRISE)
  conflicts(base, page(...ENTERPRISE), page(...STANDARD, ...ADDED, ...ENTERPRISE))
  conflicts(base, page(...ENTERPRISE), page('## Standard', ...ADDED, ...STANDARD.slice(1), ...ENTERPRISE))
  conflicts(base, page(...STANDARD), page(...STANDARD, ...ENTERPRISE, ...ADDED))
})

test('a release that is appended to releases which the other side reordered is a conflict', () => {
  const [first, second, third] = ['4.0', '4.1', '4.2'].map(name => [
    `## ${name}`,
    '### Fixes',
    `Part ${name}.`,
  ])
  if (first === undefined || second === undefined || third === undefined) return
  conflicts(page(...first, ...second), page(...second, ...first), page(...first, ...second, ...third))
})

test('what belongs to the section before comes before a section that the other side adds there', () => {
  mergesTo(
    page(...STANDARD, ...ENTERPRISE),
    page(...STANDARD, '## Cloud', 'Runs in a cloud.', ...ENTERPRISE),
    page(...STANDARD, 'Written below the first release.', ...ENTERPRISE),
    page(...STANDARD, 'Written below the first release.', '## Cloud', 'Runs in a cloud.', ...ENTERPRISE),
  )
})

test('a section that both added is there once', () => {
  const both = ['## Cloud', '### Fixes', 'Both say this.']
  mergesTo(
    page(...STANDARD),
    page(...STANDARD, ...both),
    page(...STANDARD, ...both),
    page(...STANDARD, ...both),
  )
})

test('a paragraph that occurs elsewhere is written there, though the other side deletes the first', () => {
  const more = ['## Cloud', 'Improvements to speed.']
  mergesTo(
    page(...STANDARD, '### Release 2', 'Improvements to speed.', ...ENTERPRISE),
    page(...STANDARD, ...ENTERPRISE, ...more),
    page(...ENTERPRISE),
    page(...ENTERPRISE, ...more),
  )
})

const tab = (title: string, ...lines: readonly string[]): string =>
  [`{% tab title="${title}" %}`, ...lines, '{% endtab %}'].join('\n')
const tabs = (...all: readonly string[]): string => page(['{% tabs %}', ...all, '{% endtabs %}'].join('\n'))

test('a line of a tab, of a list and of code is where its author wrote it, or conflicts', () => {
  const [a, b] = [tab('Linux', 'Download it.', 'Run it.'), tab('Windows', 'Download it.', 'Run it.')]
  const written = tab('Linux', 'Download it.', 'Check its signature.', 'Run it.')
  conflicts(tabs(a, b), tabs(b, a), tabs(written, b))
  conflicts(tabs(a, b), tabs(b), tabs(written, b))
  const list = (...items: readonly string[]): string => page(items.join('\n'))
  const [first, second] = [
    ['* Linux', '  * download', '  * run'],
    ['* Windows', '  * download', '  * run'],
  ]
  const more = ['* Linux', '  * download', '  * check', '  * run']
  conflicts(list(...first, ...second), list(...second, ...first), list(...more, ...second))
  const code = (...lines: readonly string[]): string => page(['```yaml', ...lines, '```'].join('\n'))
  conflicts(
    code('linux:', '  size: 1', '  name: x', 'windows:', '  size: 1', '  name: x'),
    code('windows:', '  size: 1', '  name: x', 'linux:', '  size: 1', '  name: x'),
    code('linux:', '  size: 1', '  port: 4000', '  name: x', 'windows:', '  size: 1', '  name: x'),
  )
})

test('an edited line keeps what the other side writes below it', () => {
  mergesTo(
    page('* Linux\n  * download\n  * run\n* Windows'),
    page('* Linux and others\n  * download\n  * run\n* Windows'),
    page('* Linux\n  * download\n  * check\n  * run\n* Windows'),
    page('* Linux and others\n  * download\n  * check\n  * run\n* Windows'),
  )
})

test('what both added at one place is there once, though one of them also changed the heading above it', () => {
  const link = 'The design kit is at the end of this page.'
  const footer = ['A note for contributors.', 'It is the same on every page.']
  const [other, texts] = ['## Badge', ['A badge tells of its maker.', '### Usage', 'Leave its colour.']]
  for (const above of [[], ['# Guidelines', 'What to know.', '## Colours', 'Only these.']]) {
    const base = page(...above, '## Resources', link)
    const ours = page(...above, other, ...texts, link, ...footer)
    mergesTo(base, ours, page(...above, '## Resources', link, ...footer), ours)
  }
  // Lines in one block.
  const item = (...lines: readonly string[]): string => page(lines.join('\n'))
  const both = item('- one', '- new', '  * below', '    added')
  mergesTo(item('- one', '  * below'), both, item('- one', '  * below', '    added'), both)
})

test('a block that one side moved is not the equal one that the other wrote in a section of its own', () => {
  const [title, next] = ['# Changelog', ['## Standard', '### Release 1']]
  const added = ['## Cloud', '### Release 1', 'Bug fixes.', 'Runs in a cloud.']
  conflicts(
    page(title, ...STANDARD, ...next, '## Standard'),
    page(title, ...next, ...STANDARD, '## Standard'),
    page(title, ...STANDARD, ...next, ...added, '## Standard'),
  )
})

test('what one side moved below a heading of its own stays, though the other side deletes it', () => {
  const [code, last] = ['```sh\nnpm install\n```', ['## Enterprise', 'Runs anywhere.']]
  const moved = page('## Cloud', ...last, '### 1.15', code, 'Written later.')
  mergesTo(page('## Cloud', code, ...last), moved, page('## Cloud', ...last), moved)
})

test('a heading that one side puts directly above what the other deletes is a conflict', () => {
  const below = page('## Standard', '### 1.15', 'Bug fixes.', 'Written later.')
  conflicts(page('## Standard', 'Bug fixes.'), page('## Standard'), below)
  const [first, second] = [
    ['### Linux', 'It runs.'],
    ['### Windows', 'It runs as well.'],
  ]
  conflicts(
    page('## Standard', ...first, ...second),
    page('## Standard', ...first),
    page('## Standard', ...first, '## Others', ...second),
  )
  // Not where the deleted section is beside the new one.
  mergesTo(
    page(...STANDARD, ...ENTERPRISE),
    page(...STANDARD),
    page(...STANDARD, ...ADDED, ...ENTERPRISE),
    page(...STANDARD, ...ADDED),
  )
})

test('a change in one of several equal sections, of which the other side deletes one, is a conflict', () => {
  const [twice, once] = [page(...STANDARD, ...STANDARD, ...ENTERPRISE), page(...STANDARD, ...ENTERPRISE)]
  const edited = [...STANDARD.slice(0, 2), 'Bug fixes, and more of them.']
  for (const changed of [[...STANDARD, ...ADDED], [...STANDARD.slice(0, 2), 'More.', 'Bug fixes.'], edited]) {
    conflicts(twice, once, page(...changed, ...STANDARD, ...ENTERPRISE))
    conflicts(twice, once, page(...STANDARD, ...changed, ...ENTERPRISE))
  }
  conflicts(page('It runs.', 'It runs.'), page('It runs.'), page('It runs.', 'Fast.', 'It runs.'))
})

test('a change outside of the equal sections of which the other side deletes one is none', () => {
  const added = ['## Cloud', 'Runs in a cloud.']
  mergesTo(
    page(...STANDARD, ...STANDARD, ...ENTERPRISE),
    page(...STANDARD, ...ENTERPRISE),
    page(...STANDARD, ...STANDARD, ...added, ...ENTERPRISE),
    page(...STANDARD, ...added, ...ENTERPRISE),
  )
  // The section before has its end in common with the deleted one.
  mergesTo(
    page(...STANDARD, ...ENTERPRISE),
    page(...STANDARD),
    page(...STANDARD.slice(0, 2), 'More.', 'Bug fixes.', ...ENTERPRISE),
    page(...STANDARD.slice(0, 2), 'More.', 'Bug fixes.'),
  )
})

test('a note below a heading and a release that goes with its moved section do not become one section', () => {
  const chapter = '## Enterprise'
  conflicts(
    page(...STANDARD, chapter),
    page(...STANDARD, chapter, ...ADDED, 'Written last.'),
    page(chapter, 'A note of the chapter.', ...STANDARD),
  )
})

test('what is written at the end of a section is a conflict if the other side puts something else at its end', () => {
  const parts = (first: readonly string[], second: readonly string[]) =>
    page('## Standard', '### Fixes', ...first, '### Fixes', ...second)
  conflicts(
    parts(['Bug fixes.'], ['Improvements to speed.']),
    parts(['Improvements to speed.'], []),
    parts(['Bug fixes.', 'Written last.'], ['Improvements to speed.']),
  )
})

test('what one side wrote into a section that the other moved is there once when it is merged again', () => {
  const [cloud, standard] = ['## Cloud', '## Standard']
  const base = page('# Changelog', cloud, standard)
  const moved = page('# Changelog', standard, ...ADDED, cloud)
  const written = page('# Changelog', cloud, 'Written by the other.', standard)
  const text = page('# Changelog', standard, ...ADDED, cloud, 'Written by the other.')
  mergesTo(base, moved, written, text)
  mergesTo(base, text, written, text)
})

const LONG = [...STANDARD, 'Improvements to speed.']

test('what one side deletes or moves in one of several equal sections, of which the other deletes one, is a conflict', () => {
  const [twice, once] = [page(...LONG, ...LONG, ...ENTERPRISE), page(...LONG, ...ENTERPRISE)]
  const [shorter, turned] = [LONG.toSpliced(2, 1), [...LONG.slice(0, 2), ...LONG.slice(2).reverse()]]
  for (const changed of [shorter, turned, LONG.slice(0, 1)]) {
    conflicts(twice, once, page(...changed, ...LONG, ...ENTERPRISE))
    conflicts(twice, once, page(...LONG, ...changed, ...ENTERPRISE))
  }
  conflicts(twice, once, page(...LONG, ...ENTERPRISE, ...LONG))
  conflicts(twice, once, page(...LONG.slice(0, 3), ...LONG, ...ENTERPRISE, 'Improvements to speed.'))
  conflicts(twice, once, page(...LONG, 'Bug fixes.', ...LONG, ...ENTERPRISE.slice(0, 2)))
})

test('equal sections and paragraphs of which both sides delete some are merged', () => {
  const thrice = page(...LONG, ...LONG, ...LONG, ...ENTERPRISE)
  mergesTo(thrice, page(...LONG, ...LONG, ...ENTERPRISE), page(...ENTERPRISE), page(...ENTERPRISE))
  mergesTo(
    thrice,
    page(...LONG, ...LONG, ...ENTERPRISE),
    page(...LONG, ...ENTERPRISE),
    page(...LONG, ...ENTERPRISE),
  )
  const runs = (count: number) => page(...Array.from({ length: count }, () => 'It runs.'))
  mergesTo(runs(3), runs(1), runs(2), runs(1))
})

test('an equal paragraph that one side moves and of which the other deletes one is a conflict', () => {
  conflicts(
    page('It runs.', 'It runs.', 'Fast.'),
    page('It runs.', 'Fast.', 'It runs.'),
    page('It runs.', 'Fast.'),
  )
})

test('a heading that both replaced is a conflict of the heading alone', () => {
  const { conflicts } = mergeByOctavo({
    base: page('# Guide', 'Words.'),
    ours: page('# Manual', 'Words.'),
    theirs: page('# Handbook', 'Words.'),
  })
  assert.deepEqual(
    conflicts.map(({ ours, theirs }) => [ours, theirs]),
    [['# Manual', '# Handbook']],
  )
})
