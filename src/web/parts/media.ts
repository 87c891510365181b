import { useSyncExternalStore } from 'react'

/** Whether the screen is like this now, as `(width >= 1200px)`. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    listener => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

const CONTROL_PX = 32
const CONTROL_TOUCH_PX = 44

/** The height of a row or control, as `--control` of the styles. */
export const controlPixels = (): number =>
  matchMedia('(pointer: coarse)').matches ? CONTROL_TOUCH_PX : CONTROL_PX
