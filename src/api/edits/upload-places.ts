// How many uploads are under way: a few of one person, so that slow ones leave room for those of others.
import { assert } from '../../base/assert.ts'
import { UPLOADS_AT_ONCE_MAX, UPLOADS_OF_ONE_MAX } from './bounds.ts'

export interface UploadPlaces {
  /** Whether the person has a place now, which has to be given back. */
  take(userId: string): boolean
  giveBack(userId: string): void
}

export function createUploadPlaces(): UploadPlaces {
  // One entry for each upload.
  const taken: string[] = []
  return {
    take(userId) {
      const own = taken.filter(user => user === userId).length
      if (taken.length >= UPLOADS_AT_ONCE_MAX || own >= UPLOADS_OF_ONE_MAX) return false
      taken.push(userId)
      return true
    },
    giveBack(userId) {
      const at = taken.indexOf(userId)
      assert(at !== -1, 'a place is given back once')
      taken.splice(at, 1)
    },
  }
}
