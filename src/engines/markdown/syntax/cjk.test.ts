import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { maskTags } from './masking.ts'
import { childrenOf, type Node, parseMarkdown } from './syntax.ts'

/** The source of each node of a type, and the words in it. */
function nodesOf(source: string, type: Node['type']): string[] {
  const all: string[] = []
  const visit = (node: Node) => {
    if (node.type === type) all.push(source.slice(node.position.start, node.position.end))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseMarkdown(source))
  return all
}

const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''))

test('emphasis ends beside Chinese, Japanese and Korean as it is meant, and no character is another', () => {
  for (const [source, bold] of [
    ['请先**备份数据。**然后再继续。', '**备份数据。**'],
    ['ここで**「設定」**を開きます。', '**「設定」**'],
    ['저장한 뒤 **터미널(Terminal)**을 여세요.', '**터미널(Terminal)**'],
    ['运行**`npm start`**命令。', '**`npm start`**'],
    ['看**[这里](a.md)**吧', '**[这里](a.md)**'],
    ['𠀀**(a)**𠀀', '**(a)**'],
    ['> 一\n> 二**三。**四', '**三。**'],
    ['| **一。**二 |\n| - |', '**一。**'],
    ['# **一。**二', '**一。**'],
  ] as const) {
    assert.deepEqual(nodesOf(source, 'strong'), [bold], source)
    const words = textOf(parseMarkdown(source))
    for (const char of bold.replace(/[*`[\]]|\(a\.md\)/g, '')) assert.ok(words.includes(char), words)
  }
  assert.deepEqual(nodesOf('这是*想做的。*所以', 'emphasis'), ['*想做的。*'])
  assert.deepEqual(nodesOf('~~删除。~~然后', 'delete'), ['~~删除。~~'])
  assert.deepEqual(nodesOf('这是~~**删除**~~的', 'delete'), ['~~**删除**~~'])
})

test('a comma alone between two runs is beside both', () => {
  const source = '应用**输入为`query`**，**输出为`text`**。'
  assert.deepEqual(nodesOf(source, 'strong'), ['**输入为`query`**', '**输出为`text`**'])
})

test('stars that are escaped, in code, or beside spaces stay characters', () => {
  for (const source of ['\\**一。**二', '`**一。**二`', '一 ** 二。** 三', '    **一。**二'])
    assert.deepEqual(nodesOf(source, 'strong'), [], source)
  assert.equal(textOf(parseMarkdown('`**一。**二`')), '**一。**二')
})

test('a bare address ends before punctuation of Chinese and Japanese, with what follows read as usual', () => {
  assert.deepEqual(nodesOf('请见https://example.com/guide。谢谢', 'link'), ['https://example.com/guide'])
  assert.deepEqual(nodesOf('（https://example.com/b）', 'link'), ['https://example.com/b'])
  assert.deepEqual(nodesOf('見 https://example.com/a，以及 www.example.com、本頁', 'link'), [
    'https://example.com/a',
    'www.example.com',
  ])
  assert.deepEqual(nodesOf('https://a.example。https://b.example！', 'link'), [
    'https://a.example',
    'https://b.example',
  ])
  assert.deepEqual(nodesOf('见‘https://a.example’，https://b.example——这里，https://c.example……', 'link'), [
    ...['https://a.example', 'https://b.example', 'https://c.example'],
  ])
  assert.deepEqual(nodesOf('https://a.example/x。**重要。**吧', 'strong'), ['**重要。**'])
  assert.equal(textOf(parseMarkdown('（https://example.com/b）以上。')), '（https://example.com/b）以上。')
  assert.deepEqual(nodesOf('https://example.com/中文/路径', 'link'), ['https://example.com/中文/路径'])
})

test('an address in a link, a definition, brackets or an attribute keeps its punctuation', () => {
  const addresses: unknown[] = []
  const visit = (node: Node) => {
    if (node.type === 'link') addresses.push(node.url)
    if (node.type === 'element') addresses.push(node.attributes.href)
    for (const child of childrenOf(node)) visit(child)
  }
  const sources = [
    '[a](https://e.example/甲（乙）)和[b](https://e.example/丙。)',
    '[c]\n\n[c]: https://e.example/丁。',
    '<https://e.example/戊。>',
    '<a href="https://e.example/己。">x</a>',
  ]
  for (const source of sources) visit(parseMarkdown(source))
  assert.deepEqual(addresses, [
    'https://e.example/甲（乙）',
    'https://e.example/丙。',
    'https://e.example/丁。',
    'https://e.example/戊。',
    'https://e.example/己。',
  ])
})

test('a page that has the stand-ins itself is read without a change of its characters', () => {
  const taken = Array.from({ length: 0xf900 - 0xe000 }, (_, at) => String.fromCharCode(0xe000 + at)).join('')
  const source = `${taken}\n\n请先**备份。**然后`
  assert.equal(textOf(parseMarkdown(source)), `${taken}请先**备份。**然后`)
  assert.equal(textOf(parseMarkdown('\ue000一**二。**三')), '\ue000一二。三')
})

test('hiding costs linear time', async () => {
  for (const piece of ['**一。', 'https://a。', '[x](https://a。', '一**(', '\\**。'])
    await assertLinear(piece, maskTags, length => piece.repeat(Math.ceil(length / piece.length)), 400_000)
})
