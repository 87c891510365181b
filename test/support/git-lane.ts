// Holds the imports and exports of a space back, so that a test decides when they go on.
import type { World } from './world.ts'

/** Answers what lets them go on. */
export function holdGit({ services }: Pick<World, 'services'>, spaceId: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  services.tasks.start(`git:${spaceId}`, () => promise)
  return resolve
}
