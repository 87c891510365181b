// How many uploads are under way: a few of one person, so that slow ones leave room for those of others.
import { assert } from '../../../base/assert.ts'

/** In the whole process: each is a file that is open. */
export const UPLOADS_AT_ONCE_MAX = 50
/** Of one person, in the whole process. */
export const UPLOADS_OF_ONE_MAX = 10

export interface UploadPlaces {
  hasRoom(userId: string): boolean
  /** Whether the person has a place now, which has to be given back. */
  take(userId: string): boolean
  giveBack(userId: string): void
}

/** `max` in the whole process, `ofOneMax` of them of one person. */
export function createUploadPlaces(max: number, ofOneMax: number): UploadPlaces {
  // One entry for each upload.
  const taken: string[] = []
  const hasRoom = (userId: string) =>
    taken.length < max && taken.filter(user => user === userId).length < ofOneMax
  return {
    hasRoom,
    take(userId) {
      if (!hasRoom(userId)) return false
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
