// Pages that are as costly as a page of their length can be, by what they consist of.

export const costlyPages = (characters: number) => {
  const fill = (piece: string): string => piece.repeat(Math.floor(characters / piece.length))
  return {
    'rows of a table': `|a|b|\n|-|-|\n${fill('|a|b|\n')}`,
    'items of a list': fill('- a\n'),
    quotes: fill('> a\n\n'),
    formulas: fill('$$x^2$$ '),
    'tags in each other': fill('{% hint %}\na\n{% endhint %}\n'),
    'one line of code': `\`\`\`js\n${fill('a=1;')}\n\`\`\``,
    emphasis: fill('**a** _b_ '),
    links: fill('[a](b.md) '),
    HTML: fill('<b>a</b> <i>'),
  } as const
}
