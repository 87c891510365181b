// Which of many things what is typed means: those first whose name begins with it.

const LISTED_MAX = 50

/** Those with the words in one of their texts, best first: their name begins so, a word of it does, or it is within any. */
export function ranked<One>(
  all: Iterable<One>,
  query: string,
  textsOf: (one: One) => readonly [name: string, ...others: string[]],
): One[] {
  const wanted = fold(query.trim())
  const ranks: [One[], One[], One[]] = [[], [], []]
  for (const one of all) {
    const [name, ...others] = textsOf(one).map(fold)
    if (name === undefined) continue
    if (name.startsWith(wanted)) ranks[0].push(one)
    else if (name.includes(` ${wanted}`)) ranks[1].push(one)
    else if (name.includes(wanted) || others.some(text => text.includes(wanted))) ranks[2].push(one)
  }
  return ranks.flat().slice(0, LISTED_MAX)
}

/** Without case and accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
