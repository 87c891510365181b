// Bounds concurrent uploads, in total and per person, so that slow ones leave room for others.
import { assert } from '../../../base/assert.ts'

/** In the whole process: each is an open file. */
export const UPLOADS_AT_ONCE_MAX = 50
/** Per person, in the whole process. */
export const UPLOADS_OF_ONE_MAX = 10

export interface UploadPlaces {
  /** Returns whether the person got a place, which then has to be freed. */
  take(userId: string): boolean
  giveBack(userId: string): void
}

/** `max` in the whole process, `ofOneMax` per person. */
export function createUploadPlaces(max: number, ofOneMax: number): UploadPlaces {
  // One entry for each upload.
  const taken: string[] = []
  const hasRoom = (userId: string) =>
    taken.length < max && taken.filter(user => user === userId).length < ofOneMax
  return {
    take(userId) {
      if (!hasRoom(userId)) return false
      taken.push(userId)
      return true
    },
    giveBack(userId) {
      const at = taken.indexOf(userId)
      assert(at !== -1, 'a place is freed once')
      taken.splice(at, 1)
    },
  }
}
