// Small words that turn the verb before them, though they are no telling words: what is turned on is not turned off.

const PAIRS = [
  ['on', 'off'],
  ['in', 'out'],
  ['up', 'down'],
  // Behind a German verb at the end of its clause.
  ['ein', 'aus'],
  ['an', 'aus'],
  ['an', 'ab'],
] as const

const opposites = new Map<string, readonly string[]>()
for (const [one, other] of PAIRS) {
  opposites.set(one, [...(opposites.get(one) ?? []), other])
  opposites.set(other, [...(opposites.get(other) ?? []), one])
}

export const isParticle = (word: string): boolean => opposites.has(word)
export const oppositeParticles = (particle: string): readonly string[] => opposites.get(particle) ?? []
